export const id = 640;
export const ids = [640];
export const modules = {

/***/ 8640:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runPost: () => (/* binding */ runPost)
});

// EXTERNAL MODULE: ./adapters/github/github.js + 3 modules
var github_github = __webpack_require__(6825);
// EXTERNAL MODULE: ./adapters/runner.js + 20 modules
var adapters_runner = __webpack_require__(7744);
// EXTERNAL MODULE: ./core/text.js
var core_text = __webpack_require__(6490);
// EXTERNAL MODULE: ./render/markdown.js
var markdown = __webpack_require__(6205);
// EXTERNAL MODULE: ./render/resume.js
var resume = __webpack_require__(2411);
;// CONCATENATED MODULE: ./render/killed.js



function describeKilled(left, step) {
    const how = left.jobId === null ? '' : `\nTo wait for the job, run this step:\n${(0,resume/* resumeStep */.M)(step, left.jobId)}`;
    return { level: 'warning', title, text: `${sentence(left, step)}${how}` };
}
function killedSummary(left, step) {
    const how = left.jobId === null
        ? ''
        : `\n\nTo wait for the job, run this step:\n\n${(0,core_text/* fenced */.OF)((0,resume/* resumeStep */.M)(step, left.jobId), 'yaml')}`;
    return `## 🛑 ${title}\n\n${(0,markdown/* entities */.O5)(sentence(left, step))}${how}\n`;
}
const title = 'The step was killed before it could finish';
function sentence({ jobId, sending }, { projectId }) {
    const look = `Look at project ${projectId} in the platform's dashboard before you run the workflow again.`;
    if (jobId === null)
        return sending ? `A job may have been created. ${look}` : 'Nothing was sent.';
    return sending ? `Job ${jobId} may have got the message. ${look}` : `Job ${jobId} goes on at the platform.`;
}

// EXTERNAL MODULE: ./render/reply.js
var reply = __webpack_require__(6826);
// EXTERNAL MODULE: ./steps/state-keys.js
var state_keys = __webpack_require__(4241);
;// CONCATENATED MODULE: ./steps/post.js
/** The post step: what a main step that was killed could not say any more. It sends the platform nothing. */





/** @param isOnline whether the proxies' settings can be used: without them GitHub is not spoken to */
async function runPost(raw, stage, isOnline) {
    const { runner, jobRef, uses } = stage;
    const reply = (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.reply);
    if (reply !== '' && isOnline)
        await finishReply(JSON.parse(reply), raw, stage);
    if ((0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.finished) !== '')
        return;
    const jobId = (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.jobId) || jobRef.jobId;
    const left = { jobId, sending: (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.sending) !== '' && (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.jobId) === '' };
    const step = { uses, ...jobRef };
    runner.log(describeKilled(left, step));
    await runner.summary(killedSummary(left, step));
}
/** Ends a reply that a killed step left at “working”; the marker stays, so that the conversation can go on. */
async function finishReply({ thread, id, marker }, raw, stage) {
    const { apiUrl, proxy, cancelled, runUrl } = stage;
    const github = (0,github_github/* createGitHub */.C)({ token: raw['github-token'], apiUrl, proxy, cancelled });
    const text = (0,reply/* killedReply */.sx)({ command: raw.command, runUrl }, (0,adapters_runner/* readSaved */.Sy)(state_keys/* stateKeys */.O.jobId) || null);
    await github.edit(thread, id, marker === '' ? text : `${text}\n\n${marker}`);
}


/***/ })

};
