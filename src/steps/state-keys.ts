/**
 * The names of what the main step saves for the post step. If `finished` is saved and `reply` is empty, the post step
 * has nothing to do, so scripts/bundle/post.js, which reads both, does not load the bundle.
 */
export const stateKeys = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }
