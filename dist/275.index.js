export const id = 275;
export const ids = [275];
export const modules = {

/***/ 3275:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runSettleMode: () => (/* binding */ runSettleMode)
});

;// CONCATENATED MODULE: ./core/settle.js
/** Whether settling fails the step: if it broke, or one of the jobs that it told of ended as `fail-on` names. */
function failsSettling({ outcome, jobs }, failOn) {
    if (outcome === 'error' || outcome === 'cancelled')
        return true;
    return jobs.some((job) => job.state === 'settled' && job.outcome !== null && failOn.has(job.outcome));
}

// EXTERNAL MODULE: ./core/trigger/event.js
var trigger_event = __webpack_require__(9886);
// EXTERNAL MODULE: ./render/outputs.js
var render_outputs = __webpack_require__(4520);
// EXTERNAL MODULE: ./core/units.js
var units = __webpack_require__(8774);
// EXTERNAL MODULE: ./render/changes.js
var changes = __webpack_require__(1767);
// EXTERNAL MODULE: ./render/conclusion.js
var conclusion = __webpack_require__(1603);
// EXTERNAL MODULE: ./render/markdown.js
var markdown = __webpack_require__(6205);
// EXTERNAL MODULE: ./render/problem/explanation.js
var explanation = __webpack_require__(5393);
// EXTERNAL MODULE: ./render/problem.js + 2 modules
var problem = __webpack_require__(2249);
;// CONCATENATED MODULE: ./render/settle.js







/** Most rows in a summary; the log names every job. */
const rowLimit = 200;
const icons = {
    settled: '📬',
    'dry-run': '🧪',
    cancelled: '🛑',
    error: '❌',
};
const cutText = 'GitHub listed more comments, commits or pull requests than this action reads. Older open jobs may be missing.';
function settleHeadline({ outcome, jobs }) {
    const told = jobs.filter(({ state }) => state === 'settled').length;
    const pending = jobs.filter(({ state }) => state === 'pending' || state === 'untold').length;
    switch (outcome) {
        case 'cancelled':
            return 'Cancelled';
        case 'dry-run':
            return `Dry run: ${(0,explanation/* counted */.hS)(jobs.length, 'open job')} found, and nothing written`;
        case 'error':
            return 'Could not settle open jobs';
        case 'settled':
            if (jobs.length === 0)
                return 'No open jobs';
            return `${(0,explanation/* counted */.hS)(told, 'result')} reported, ${(0,explanation/* counted */.hS)(pending, 'job')} still open`;
    }
}
function describeSettled(result, jobRef, failOn, serverUrl) {
    const rows = result.jobs.map((job) => ({ level: 'info', text: line(job, serverUrl) }));
    const title = settleHeadline(result);
    const explanation = result.problem && (0,problem/* explain */.W)(result.problem, jobRef);
    const text = explanation === null ? `${title}.` : [explanation.what, explanation.why, explanation.next].join('\n');
    const level = failsSettling(result, failOn) ? 'error' : 'info';
    const cut = result.isCut
        ? [{ level: 'warning', title: 'Some lists were cut', text: cutText }]
        : [];
    return [...rows, ...cut, level === 'info' ? { level, text } : { level, title, text }];
}
function settleSummary(result, jobRef, serverUrl) {
    const explanation = result.problem && (0,problem/* explain */.W)(result.problem, jobRef);
    const rows = result.jobs
        .slice(0, rowLimit)
        .map((job) => [
        (0,markdown/* link */.nf)(placeName(job), placeUrl(job, serverUrl)),
        job.prLink === null
            ? stateText(job)
            : `${stateText(job)}: ${(0,markdown/* link */.nf)((0,changes/* pullRequestName */.Ib)(job.prLink), job.prLink)}`,
        (0,markdown/* code */.aY)(job.job),
        (0,units/* formatTime */.fU)(new Date(job.since).toISOString()) ?? '',
    ]);
    const more = result.jobs.length - rows.length;
    return [
        `## ${icons[result.outcome]} ${(0,markdown/* prose */.CS)(settleHeadline(result))}`,
        ...(explanation === null
            ? []
            : [(0,markdown/* prose */.CS)(explanation.what), (0,markdown/* prose */.CS)(`${explanation.why} ${explanation.next}`)]),
        rows.length === 0 ? '' : (0,markdown/* table */.tp)('texts', ['Asked in', 'Result', 'Job', 'Since'], rows),
        more > 0 ? `And ${more} more, listed in the log.` : '',
        result.isCut ? cutText : '',
    ]
        .filter((part) => part !== '')
        .join('\n\n')
        .concat('\n');
}
function line(job, serverUrl) {
    const pull = job.prLink === null ? '' : ` ${job.prLink}`;
    return `${stateText(job)}: job ${job.job}, requested in ${placeUrl(job, serverUrl)}.${pull}`;
}
function stateText({ state, outcome }) {
    const how = outcome === null ? '' : endText(outcome);
    switch (state) {
        case 'settled':
            return how;
        case 'untold':
            return `${how}, but GitHub refused the report`;
        case 'pending':
            return how === '' ? 'Not finished' : `${how}, not reported`;
        case 'abandoned':
            return 'Older than 14 days, not read';
    }
}
/** An error of a job that is settled: Mintlify knows it no longer. */
function endText(outcome) {
    return outcome === 'error' ? 'No longer at Mintlify' : (0,conclusion/* headlineOf */.gD)(outcome);
}
function placeName({ link }) {
    return link.kind === 'commit'
        ? `${link.repository}@${link.commit.slice(0, 7)}`
        : `${link.repository}#${link.thread.number}`;
}
function placeUrl({ link }, serverUrl) {
    const at = `${serverUrl}/${link.repository}`;
    if (link.kind === 'commit')
        return `${at}/commit/${link.commit}`;
    const { isPullRequest, number } = link.thread;
    return `${at}/${isPullRequest ? 'pull' : 'issues'}/${number}`;
}

// EXTERNAL MODULE: ./core/job/job.js
var job_job = __webpack_require__(2122);
// EXTERNAL MODULE: ./usecases/jobs.js
var jobs = __webpack_require__(5668);
// EXTERNAL MODULE: ./core/mark.js
var core_mark = __webpack_require__(8472);
// EXTERNAL MODULE: ./core/status.js
var core_status = __webpack_require__(9099);
// EXTERNAL MODULE: ./core/thread.js
var core_thread = __webpack_require__(9769);
// EXTERNAL MODULE: ./usecases/command.js + 2 modules
var command = __webpack_require__(2217);
// EXTERNAL MODULE: ./usecases/comments.js
var comments = __webpack_require__(2858);
// EXTERNAL MODULE: ./usecases/commit-memory.js
var commit_memory = __webpack_require__(8781);
// EXTERNAL MODULE: ./usecases/provenance.js
var usecases_provenance = __webpack_require__(3395);
// EXTERNAL MODULE: ./usecases/thread-memory.js
var thread_memory = __webpack_require__(370);
;// CONCATENATED MODULE: ./usecases/open-requests.js








const minute = 60_000;
/** How far back open marks are looked for. */
const lookBack = 28 * 24 * 60 * minute;
/** What is younger may belong to a run that is at work. */
const youth = 10 * minute;
/** Outcomes that turn a commit's status red. */
const redOutcomes = ['failed', 'timed-out'];
/** The open marks of the project: on threads, and on commits. Only those of the token's own account count. */
async function findOpen(inputs, repository, ports) {
    const { github, clock } = ports;
    const since = clock.date() - lookBack;
    // It tells the viewer, too.
    const statuses = await github.recentStatuses(repository);
    if (!statuses.ok)
        return statuses;
    const viewer = await github.viewer();
    if (!viewer.ok)
        return viewer;
    const issues = await github.recentComments(repository, 'issue', since);
    if (!issues.ok)
        return issues;
    const reviews = await github.recentComments(repository, 'review', since);
    if (!reviews.ok)
        return reviews;
    const comments = [...issues.value.items, ...reviews.value.items].filter(({ author }) => author === viewer.value);
    const onThreads = await openOnThreads(comments, inputs, repository, ports);
    const onCommits = statuses.value.items
        .filter(({ creator, createdAt }) => creator === viewer.value && createdAt >= since)
        .flatMap((status) => onCommit(status, inputs, repository, ports) ?? []);
    return {
        ok: true,
        value: {
            requests: [...onThreads, ...onCommits],
            isCut: issues.value.isCut || reviews.value.isCut || statuses.value.isCut,
        },
    };
}
async function openOnThreads(comments, { projectId, dryRun }, repository, ports) {
    const open = [];
    const replies = comments
        .toSorted((one, other) => one.id - other.id)
        .flatMap(({ thread, ...comment }) => {
        const found = (0,core_mark/* readMark */.Mp)(comment, (0,core_thread/* threadName */.C)(thread), ports.sign);
        return found?.isSigned && isReply(found.mark, projectId) ? [{ thread, ...found }] : [];
    });
    const requests = Map.groupBy(replies, ({ thread, mark: { request, step } }) => [(0,core_thread/* threadName */.C)(thread), request, step].join(' '));
    for (const [first, ...others] of requests.values()) {
        if (first === undefined)
            continue;
        const { thread } = first;
        const marks = [first, ...others];
        const standing = (0,core_mark/* standingOf */.YP)(first.mark, marks);
        const working = marks.find(({ comment }) => comment === standing.working);
        if (standing.kind !== 'job' || standing.job === null)
            continue;
        if (working !== undefined)
            open.push(onThread(thread, working.mark, standing.job, repository, ports));
        else if (standing.result !== null && !dryRun)
            await removeOld(thread, marks.filter(({ comment }) => standing.spare.includes(comment)), ports);
    }
    return open;
}
function isReply({ role, project }, projectId) {
    return role === 'reply' && project === (0,core_mark/* projectName */.j1)(projectId);
}
/** A run that was killed, while another one told the result, left comments behind that the result replaces. */
async function removeOld(thread, spare, ports) {
    const tell = (0,comments/* warnOnRefusal */.yi)(thread, ports);
    for (const { comment, createdAt } of spare)
        if (ports.clock.date() - createdAt > youth)
            await tell('delete', ports.github.remove(thread, comment));
}
function onThread(thread, { request, step, project, since, by }, job, repository, ports) {
    const [, comment] = /^comment:(\d+)$/.exec(request) ?? [];
    const ref = {
        ...{ thread, comment: comment === undefined ? null : Number(comment) },
        ...{ request, step, project, since, by },
    };
    return {
        ...{ job, since, link: { kind: 'thread', repository, thread, request } },
        async tell(result) {
            // Time has passed since the list was read.
            const marks = await (0,comments/* warnOnRefusal */.yi)(thread, ports)('read', (0,comments/* findMarks */.Co)(thread, ports));
            if (marks === undefined)
                return 'untold';
            const standing = (0,core_mark/* standingOf */.YP)(ref, marks);
            if (standing.job !== job || standing.working === null)
                return 'elsewhere';
            const words = ports.wordsFor(ref);
            const memory = new thread_memory/* ThreadMemory */.G(ref, { ...ports, words, save: () => { } });
            // A result that is told already is corrected, also if it shows a failure.
            await memory.takeOver({ ...standing, isSpent: false });
            // The mark is closed last, so that a run that is killed leaves all of this to the next one.
            await (0,command/* tellAgentsPull */.l)(result, ref, { ...ports, words, isShared: true });
            return (await memory.close(result)) ? 'settled' : 'untold';
        },
    };
}
/** The request of a status; null if it is not open. */
function onCommit(status, { projectId, failOn }, repository, ports) {
    const { commit, context, createdAt: since, targetUrl } = status;
    const mark = (0,core_status/* isOwnContext */.MI)(context) ? (0,core_status/* readStatus */.rk)(status, projectId) : null;
    if (mark === null || mark.job === null || mark.state !== 'job')
        return null;
    const { job, run, hasChange } = mark;
    const ref = {
        ...{ repository, commit, run, context, owner: { project: projectId, hasChange } },
        ...{ runUrl: targetUrl, failOn: new Set([...redOutcomes, ...failOn]) },
    };
    return {
        ...{ job, since, link: { kind: 'commit', repository, commit } },
        async tell(result) {
            // Time has passed since the list was read, and a later run may be at work on the commit.
            const now = await (0,commit_memory/* findStatuses */.u)(ref, ports);
            if (!now.ok) {
                ports.onProgress({ type: 'status-failed', commit, refusal: now.refusal });
                return 'untold';
            }
            const [latest] = now.value;
            if (latest?.state !== 'job' || latest.job !== job || latest.run !== run)
                return 'elsewhere';
            const documented = hasChange ? await changeOf(repository, commit, ports) : null;
            const provenance = {
                ...{ request: `run:${run}`, step: (0,core_status/* stepOfContext */.TF)(context, projectId) },
                ...{ project: (0,core_mark/* projectName */.j1)(projectId), since },
            };
            // The mark is closed last, so that a run that is killed leaves all of this to the next one.
            await (0,usecases_provenance/* tellPullRequests */.n)(result, documented, provenance, { ...ports, repository, projectId }, {
                ...ports,
                isShared: true,
            });
            return (await (0,commit_memory/* createCommitMemory */.d)(ref, ports).close(result)) ? 'settled' : 'untold';
        },
    };
}
/** The change that ends in a commit, and the pull request that it came by. */
async function changeOf(repository, head, { github }) {
    const pulls = await github.pullsOf(repository, head);
    const all = pulls.ok ? pulls.value : [];
    const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? (all.length === 1 ? all[0] : undefined);
    return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null };
}

// EXTERNAL MODULE: ./usecases/review.js + 1 modules
var review = __webpack_require__(4940);
// EXTERNAL MODULE: ./usecases/wait.js + 1 modules
var usecases_wait = __webpack_require__(2458);
;// CONCATENATED MODULE: ./usecases/settle.js





const settle_minute = 60_000;
/** How far back jobs are read; older ones are only listed. */
const settle_lookBack = 14 * 24 * 60 * settle_minute;
/**
 * A younger request is left alone: its job may be missing because replicas lag, or still show the end of its work before
 * a follow-up.
 */
const settle_youth = 10 * settle_minute;
/** Milliseconds until the second read of a job that completed without a link, which may come a moment later. */
const linkGrace = 5_000;
/** Jobs that are read at the same time. */
const atOnce = 4;
/** Reads each open job once, and tells the ends. Two runs at once, or one that was killed, never tell twice. */
async function settle(inputs, home, ports) {
    const { cancelled, clock } = ports;
    const found = await findOpen(inputs, home.repository, ports);
    const none = { jobs: [], isCut: false };
    // GitHub is not to blame for what a cancel interrupted.
    if (cancelled.aborted)
        return { ...none, outcome: 'cancelled', problem: null };
    if (!found.ok)
        return { ...none, outcome: 'error', problem: { type: 'settle-unread', refusal: found.refusal } };
    const { requests, isCut } = found.value;
    const oldest = clock.date() - settle_lookBack;
    const recent = requests.filter(({ since }) => since >= oldest);
    const reads = await readTwice([...new Set(recent.map(({ job }) => job))], inputs, ports);
    const refused = [...reads.values()].find((read) => !read.ok && isKeyRefused(read.problem));
    if (refused?.ok === false)
        return { ...none, outcome: 'error', problem: refused.problem };
    const told = await tellEnds(recent, reads, inputs, home, ports);
    const abandoned = requests.filter((request) => !recent.includes(request));
    const jobs = [...told, ...abandoned.map((request) => row(request, 'abandoned', null))];
    const outcome = inputs.dryRun ? 'dry-run' : 'settled';
    return { outcome: cancelled.aborted ? 'cancelled' : outcome, jobs, isCut, problem: null };
}
/** Tells the ends of the jobs that have ended. That of the pull request that was opened may be waited for, so it is last. */
async function tellEnds(requests, reads, inputs, { openedBranch }, ports) {
    const isOpened = ({ job }) => isOfBranch(reads.get(job), openedBranch);
    const results = new Map();
    const jobs = [];
    for (const request of requests.toSorted((a, b) => Number(isOpened(a)) - Number(isOpened(b)))) {
        if (ports.cancelled.aborted)
            return jobs;
        const { job, since } = request;
        // A pull request that opens is the job's new work.
        const isDue = isOpened(request) || ports.clock.date() - since >= settle_youth;
        if (isDue && !results.has(job))
            results.set(job, await resultOf(job, reads.get(job), isOpened(request), inputs, ports));
        jobs.push(...(await tellEnd(request, isDue ? (results.get(job) ?? null) : null, inputs)));
    }
    return jobs;
}
/** The request's row; none if another run told its end. */
async function tellEnd(request, result, { dryRun }) {
    const told = result === null || dryRun ? 'pending' : await request.tell(result);
    return told === 'elsewhere' ? [] : [row(request, told, result)];
}
function row({ job, since, link }, state, result) {
    return { job, since, link, state, outcome: result?.outcome ?? null, prLink: result?.job?.prLink ?? null };
}
/** What came of a job; null if it goes on, or that is not known. */
async function resultOf(jobId, read, isOpened, inputs, ports) {
    const base = { jobId, prompt: null, changes: null, delivery: 'sent', elapsed: null };
    if (read === undefined)
        return null;
    if (!read.ok)
        return isMissing(read.problem) ? { ...base, outcome: 'error', job: null, problem: read.problem } : null;
    const { job } = read;
    const outcome = (0,job_job/* outcomeOfJob */.vr)(job);
    if (outcome !== undefined)
        return (0,review/* reviewChanges */.o)({ ...base, outcome, job, problem: null }, inputs, ports);
    // The agent's pull request can open before its job ends.
    if (!isOpened || inputs.dryRun)
        return null;
    const wait = { projectId: inputs.projectId, jobId, job, before: null, created: false };
    const waited = await (0,usecases_wait/* waitForJob */.q)({ ...wait, interval: 'auto' }, ports);
    const isOpen = ['timed-out', 'cancelled', 'error'].includes(waited.outcome);
    return isOpen ? null : (0,review/* reviewChanges */.o)({ ...base, ...waited }, inputs, ports);
}
function isOfBranch(read, branch) {
    return read?.ok === true && branch !== null && read.job.ref === branch;
}
function isMissing({ failure }) {
    return failure.kind === 'refused' && failure.status === 404;
}
/** A key that is refused for one job is refused for all. */
function isKeyRefused({ failure }) {
    return failure.kind === 'refused' && (failure.status === 401 || failure.status === 403);
}
/** Reads jobs, and those that completed without a link once more. */
async function readTwice(ids, inputs, ports) {
    const reads = await readJobs(ids, inputs, ports);
    const linkless = [...reads].flatMap(([id, read]) => read.ok && (0,job_job/* outcomeOfJob */.vr)(read.job) === 'no-changes' ? [id] : []);
    if (linkless.length === 0)
        return reads;
    await ports.clock.sleep(linkGrace, ports.cancelled);
    const again = await readJobs(linkless, inputs, ports);
    // Without its second read, a job without a link has not ended.
    for (const id of linkless)
        reads.delete(id);
    for (const [id, read] of again)
        if (read.ok)
            reads.set(id, read);
    return reads;
}
/** Reads jobs, a few at once. */
async function readJobs(ids, { projectId }, ports) {
    const reads = new Map();
    const left = [...ids];
    const work = async () => {
        for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
            reads.set(id, toRead(await (0,jobs/* readJob */.c)(projectId, id, ports)));
        }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return reads;
}
function toRead(read) {
    if (read.ok)
        return { ok: true, job: read.value };
    const { failure, attempts } = read;
    return { ok: false, problem: { type: 'platform', operation: 'read', failure, attempts } };
}

// EXTERNAL MODULE: ./steps/ports.js
var ports = __webpack_require__(9209);
// EXTERNAL MODULE: ./steps/state-keys.js
var state_keys = __webpack_require__(4241);
// EXTERNAL MODULE: ./steps/words.js
var words = __webpack_require__(8504);
;// CONCATENATED MODULE: ./steps/settle.js








/** Finishes what earlier runs left open. */
async function runSettleMode(inputs, step) {
    const { runner, jobRef, repository, serverUrl, event } = step;
    const home = { repository, openedBranch: (0,trigger_event/* openedBranch */.S_)(event) };
    const result = await settle(inputs, home, {
        ...(0,ports/* createStepPorts */.T)(inputs, step),
        words: (0,words/* provenanceWords */.P_)(inputs, step),
        wordsFor: (ref) => (0,words/* threadWords */.A8)(inputs, askedBy(ref, serverUrl), step),
        statusWords: (0,words/* statusWords */.o7)(step),
    });
    const outputs = (0,render_outputs/* settleOutputs */.q0)(result);
    for (const name of render_outputs/* outputNames */.gr)
        runner.output(name, outputs[name]);
    for (const entry of describeSettled(result, jobRef, inputs.failOn, serverUrl))
        runner.log(entry);
    await runner.summary(settleSummary(result, jobRef, serverUrl));
    runner.save(state_keys/* stateKeys */.O.finished, 'true');
    if (failsSettling(result, inputs.failOn))
        process.exitCode = 1;
}
/** Who asked, and where, as the mark of the request tells. */
function askedBy({ thread, comment, by }, serverUrl) {
    if (by === null)
        return null;
    const { repository, number, isPullRequest, reviewRoot } = thread;
    const at = `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`;
    if (comment === null)
        return { login: by, url: at };
    return { login: by, url: `${at}#${reviewRoot === null ? 'issuecomment-' : 'discussion_r'}${comment}` };
}


/***/ })

};
