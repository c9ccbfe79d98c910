/**
 * Names under which the main step leaves word for the post step. Once `finished` is saved and `reply` is empty, the post
 * step does nothing: scripts/bundle/post.js, which reads them as well, does not even load the bundle.
 */
export const stateKeys = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }
