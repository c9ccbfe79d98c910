/** Names under which the main step leaves word for the post step. */
export const stateKeys = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }
