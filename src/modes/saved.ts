/** Names under which the main step leaves word for the post step. */
export const saved = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }
