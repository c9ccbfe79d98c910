export const id = 640;
export const ids = [640];
export const modules = {

/***/ 8640:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runPost: () => (/* binding */ runPost)
});

// EXTERNAL MODULE: ./adapters/clock.js
var clock = __webpack_require__(7416);
// EXTERNAL MODULE: ./adapters/github/github.js + 6 modules
var github_github = __webpack_require__(9270);
// EXTERNAL MODULE: ./adapters/runner.js + 20 modules
var adapters_runner = __webpack_require__(7744);
// EXTERNAL MODULE: ./adapters/sign.js
var adapters_sign = __webpack_require__(6141);
// EXTERNAL MODULE: ./core/text.js
var core_text = __webpack_require__(6490);
// EXTERNAL MODULE: ./render/dashboard.js
var dashboard = __webpack_require__(5970);
// EXTERNAL MODULE: ./render/markdown.js
var markdown = __webpack_require__(6205);
// EXTERNAL MODULE: ./render/problem/explanation.js
var explanation = __webpack_require__(5393);
// EXTERNAL MODULE: ./render/resume.js
var resume = __webpack_require__(2411);
;// CONCATENATED MODULE: ./render/killed.js





const title = 'The step was killed';
function describeKilled(left, step) {
    const how = left.jobId === null ? '' : `\nTo wait for the job, run this step:\n${(0,resume/* resumeStep */.M)(step, left.jobId)}`;
    return { level: 'warning', title, text: `${sentences(left, step).join('\n')}${how}` };
}
function killedSummary(left, step) {
    const how = left.jobId === null
        ? ''
        : `\n\nTo wait for the job, run this step:\n\n${(0,core_text/* fenced */.OF)((0,resume/* resumeStep */.M)(step, left.jobId), 'yaml')}`;
    return `## 🛑 ${title}\n\n${(0,markdown/* prose */.CS)(sentences(left, step).join(' '))}${how}\n`;
}
function sentences({ jobId, sending }, { projectId }) {
    const killed = 'The runner killed the step before it could finish.';
    const look = `Look at project ${(0,explanation/* inCode */.pN)(projectId)} on ${dashboard/* dashboardUrl */.a} before you start a new run.`;
    if (jobId === null)
        return sending === '' ? [killed, 'Nothing was sent.'] : [killed, 'A job may have been created.', look];
    const job = `Job ${(0,explanation/* inCode */.pN)(jobId)}`;
    return sending === 'message'
        ? [killed, `${job} may have the message.`, look]
        : [killed, `${job} continues at Mintlify.`];
}

// EXTERNAL MODULE: ./render/log.js
var log = __webpack_require__(4668);
// EXTERNAL MODULE: ./render/reply.js
var render_reply = __webpack_require__(6826);
// EXTERNAL MODULE: ./usecases/thread-memory.js
var thread_memory = __webpack_require__(370);
// EXTERNAL MODULE: ./steps/best-effort.js
var best_effort = __webpack_require__(3062);
// EXTERNAL MODULE: ./steps/state-keys.js
var state_keys = __webpack_require__(4241);
;// CONCATENATED MODULE: ./steps/post.js
/** The post step: what a main step that was killed could not say any more. It sends the platform nothing. */










/** Milliseconds that the post step spends on GitHub: a cancelled run leaves it a few minutes at most. */
const githubTime = 60_000;
const foreignState = {
    level: 'warning',
    title: 'Thread not updated',
    text: 'The saved state is not from this action: another step of the job set `STATE_reply`.',
};
/** @param isOnline whether the proxy settings can be used; without them, GitHub is not called */
async function runPost(raw, step, isOnline) {
    const { runner, jobRef, uses } = step;
    const reply = (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.reply);
    if (reply !== '' && isOnline)
        await (0,best_effort/* bestEffort */.z)(step, () => endReply(reply, raw, step));
    if ((0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.finished) !== '')
        return;
    const jobId = (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.jobId) || jobRef.jobId;
    const left = { jobId, sending: (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.sending) };
    const identity = { uses, ...jobRef };
    runner.log(describeKilled(left, identity));
    await runner.summary(killedSummary(left, identity));
}
async function endReply(reply, raw, step) {
    const { apiUrl, proxy, cancelled, runUrl, runner, jobRef } = step;
    const sign = (0,adapters_sign/* signWith */.Ez)(raw['api-key']);
    // Without a key, the main step had nothing to save, and anyone could seal.
    const saved = raw['api-key'] === '' ? undefined : (0,adapters_sign/* unseal */.Du)(reply, sign);
    if (saved === undefined)
        return runner.log(foreignState);
    const deadline = clock/* clock */.p.now() + githubTime;
    const github = (0,github_github/* createGitHubPorts */.G)({ token: raw['github-token'], apiUrl, proxy, cancelled, clock: clock/* clock */.p, deadline });
    const killed = (0,render_reply/* killedComment */.PX)({ command: raw.command, runUrl }, (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.jobId) || null);
    const ports = {
        ...{ github, clock: clock/* clock */.p, sign },
        onProgress: (progress) => (0,log/* describe */.q)(progress, jobRef).forEach(runner.log),
    };
    await (0,thread_memory/* finishReply */.e)(JSON.parse(saved), killed, ports);
}


/***/ })

};
