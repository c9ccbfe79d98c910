/** How long GitHub may take, beside the platform's `timeout`. */

/** Milliseconds that GitHub gets after `timeout`, to be told the result. */
export const githubTime = 30_000
/** Milliseconds that GitHub gets after a cancel: the runner kills the step 10 s after it. */
export const githubTimeOnceCancelled = 8_500
