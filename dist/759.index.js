export const id = 759;
export const ids = [759];
export const modules = {

/***/ 7759:
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
    return [...rows, level === 'info' ? { level, text } : { level, title, text }];
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
        `## 📬 ${(0,markdown/* prose */.CS)(settleHeadline(result))}`,
        ...(explanation === null
            ? []
            : [(0,markdown/* prose */.CS)(explanation.what), (0,markdown/* prose */.CS)(`${explanation.why} ${explanation.next}`)]),
        rows.length === 0 ? '' : (0,markdown/* table */.tp)('texts', ['Asked in', 'Result', 'Job', 'Since'], rows),
        more > 0 ? `And ${more} more, named in the log.` : '',
    ]
        .filter((part) => part !== '')
        .join('\n\n')
        .concat('\n');
}
function line(job, serverUrl) {
    const pull = job.prLink === null ? '' : ` ${job.prLink}`;
    return `${stateText(job)}: job ${job.job}, asked in ${placeUrl(job, serverUrl)}.${pull}`;
}
function stateText({ state, outcome }) {
    const how = outcome === null ? '' : (0,conclusion/* headlineOf */.gD)(outcome);
    switch (state) {
        case 'settled':
            return how;
        case 'untold':
            return `${how}, but GitHub refused the report`;
        case 'pending':
            return how === '' ? 'Still at work' : `${how}, not reported`;
        case 'abandoned':
            return 'Older than 14 days, not read';
    }
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
// EXTERNAL MODULE: ./core/mark.js
var core_mark = __webpack_require__(8472);
// EXTERNAL MODULE: ./core/status.js
var core_status = __webpack_require__(9099);
// EXTERNAL MODULE: ./core/thread.js
var core_thread = __webpack_require__(9769);
// EXTERNAL MODULE: ./usecases/command.js + 2 modules
var command = __webpack_require__(2217);
// EXTERNAL MODULE: ./usecases/commit-memory.js
var commit_memory = __webpack_require__(8781);
// EXTERNAL MODULE: ./usecases/jobs.js
var jobs = __webpack_require__(5668);
// EXTERNAL MODULE: ./usecases/provenance.js
var usecases_provenance = __webpack_require__(3395);
// EXTERNAL MODULE: ./usecases/review.js + 1 modules
var review = __webpack_require__(4940);
// EXTERNAL MODULE: ./usecases/thread-memory.js
var thread_memory = __webpack_require__(370);
// EXTERNAL MODULE: ./usecases/wait.js + 1 modules
var usecases_wait = __webpack_require__(2458);
;// CONCATENATED MODULE: ./usecases/settle.js











const day = 24 * 60 * 60_000;
/** How far back jobs are read, and how much further the older ones are still listed. */
const lookBack = 14 * day;
const listBack = 28 * day;
/** Jobs that are read at the same time. */
const atOnce = 4;
/** Outcomes that turn a commit's status red. */
const redOutcomes = ['failed', 'timed-out'];
/** Reads each open job once, and tells the ends. Two runs at once, or one that was killed, never tell twice. */
async function settle(inputs, home, ports) {
    const found = await findOpen(inputs, home, ports);
    if (!found.ok)
        return { outcome: 'error', jobs: [], problem: { type: 'settle-unread', refusal: found.refusal } };
    const oldest = ports.clock.date() - lookBack;
    const recent = found.value.filter(({ since }) => since >= oldest);
    const reads = await readJobs([...new Set(recent.map(({ job }) => job))], inputs, ports);
    const refused = [...reads.values()].find((read) => 'failure' in read && isRefused(read));
    if (refused !== undefined && 'failure' in refused)
        return { outcome: 'error', jobs: [], problem: refused };
    const jobs = found.value
        .filter(({ since }) => since < oldest)
        .map((request) => ({ ...openJob(request), state: 'abandoned', outcome: null, prLink: null }));
    for (const request of recent) {
        if (ports.cancelled.aborted)
            break;
        jobs.push(await settleOne(request, reads.get(request.job), inputs, home, ports));
    }
    if (ports.cancelled.aborted)
        return { outcome: 'cancelled', jobs, problem: null };
    return { outcome: inputs.dryRun ? 'dry-run' : 'settled', jobs, problem: null };
}
async function settleOne(request, read, inputs, { openedBranch }, ports) {
    const pending = { ...openJob(request), state: 'pending', outcome: null, prLink: null };
    if (read === undefined)
        return pending;
    const isGone = 'failure' in read && read.failure.kind === 'refused' && read.failure.status === 404;
    if ('failure' in read && !isGone)
        return pending;
    const job = 'failure' in read ? null : read;
    const isEnded = job === null || (0,job_job/* isTerminal */.Hd)(job.status ?? '');
    // The pull request can open before the job ends, so that one job is waited for.
    const isOpened = job?.ref !== null && job?.ref !== undefined && job.ref === openedBranch;
    if (!isEnded && !isOpened)
        return pending;
    const result = await resultOf(request.job, job, 'failure' in read ? read : null, inputs, ports);
    if (result === undefined)
        return pending;
    const reviewed = await (0,review/* reviewChanges */.o)(result, inputs, ports);
    const row = { ...openJob(request), outcome: reviewed.outcome, prLink: reviewed.job?.prLink ?? null };
    if (inputs.dryRun)
        return { ...row, state: 'pending' };
    return { ...row, state: (await request.tell(reviewed)) ? 'settled' : 'untold' };
}
/** What came of a job; undefined if it goes on. */
async function resultOf(jobId, job, problem, { projectId }, ports) {
    const base = { jobId, prompt: null, changes: null, delivery: 'sent', elapsed: null };
    if (job === null)
        return { ...base, outcome: 'error', job, problem };
    const outcome = (0,job_job/* outcomeOfJob */.vr)(job);
    if (outcome !== undefined && outcome !== 'no-changes')
        return { ...base, outcome, job, problem: null };
    // An active one is waited for; one without a link gets the second look that a waiting step gives it.
    const wait = { projectId, jobId, job, before: null, created: false, interval: 'auto' };
    const waited = await (0,usecases_wait/* waitForJob */.q)(wait, ports);
    const isOpen = ['timed-out', 'cancelled', 'error'].includes(waited.outcome);
    return isOpen ? undefined : { ...base, ...waited };
}
function openJob({ job, since, link }) {
    return { job, since, link };
}
/** A key that is refused for one job is refused for all. */
function isRefused({ failure }) {
    return failure.kind === 'refused' && (failure.status === 401 || failure.status === 403);
}
/** Reads jobs, a few at once. */
async function readJobs(ids, { projectId }, ports) {
    const reads = new Map();
    const left = [...ids];
    const work = async () => {
        for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
            const read = await (0,jobs/* readJob */.c)(projectId, id, ports);
            const { attempts } = read;
            reads.set(id, read.ok ? read.value : { type: 'platform', operation: 'read', failure: read.failure, attempts });
        }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return reads;
}
/** The open marks of the project: on threads, and on commits. Only those of the token's own account count. */
async function findOpen(inputs, home, ports) {
    const { github, clock } = ports;
    const since = clock.date() - listBack;
    const statuses = await github.recentStatuses(home.repository);
    if (!statuses.ok)
        return statuses;
    const issues = await github.recentComments(home.repository, 'issue', since);
    if (!issues.ok)
        return issues;
    const reviews = await github.recentComments(home.repository, 'review', since);
    if (!reviews.ok)
        return reviews;
    const viewer = await github.viewer();
    if (!viewer.ok)
        return viewer;
    const own = ({ author }) => author === viewer.value;
    const comments = [...issues.value.items, ...reviews.value.items].filter(own);
    const onThreads = await openOnThreads(comments, inputs, home, ports);
    const onCommits = openOnCommits(statuses.value, viewer.value, inputs, home, ports);
    return { ok: true, value: [...onThreads, ...onCommits] };
}
async function openOnThreads(comments, inputs, { repository }, ports) {
    const threads = new Map(comments.map(({ thread }) => [(0,core_thread/* threadName */.C)(thread), thread]));
    const open = [];
    for (const [name, thread] of threads) {
        const marks = comments
            .filter((comment) => (0,core_thread/* threadName */.C)(comment.thread) === name)
            .sort((one, other) => one.id - other.id)
            .flatMap((comment) => (0,core_mark/* readMark */.Mp)(comment, name, ports.sign) ?? []);
        for (const { mark } of marks.filter((found) => isOpen(found, inputs.projectId))) {
            const standing = (0,core_mark/* standingOf */.YP)(mark, marks);
            if (standing.result === null)
                open.push(onThread(thread, mark, standing, repository, ports));
            // A run was killed between its result and the end.
            else if (standing.working !== null && !inputs.dryRun)
                await ports.github.remove(thread, standing.working);
        }
    }
    return open;
}
function onThread(thread, { request, step, project, since, by, job }, standing, repository, ports) {
    const [, comment] = /^comment:(\d+)$/.exec(request) ?? [];
    const ref = {
        thread,
        comment: comment === undefined ? null : Number(comment),
        request,
        step,
        project,
        since,
        by,
    };
    const words = ports.wordsFor(ref);
    return {
        ...{ job: job ?? '', since, link: { kind: 'thread', repository, thread, request } },
        async tell(result) {
            const memory = new thread_memory/* ThreadMemory */.G(ref, { ...ports, words, save: () => { } });
            await memory.takeOver(standing);
            const isTold = await memory.close(result);
            await (0,command/* tellAgentsPull */.l)(result, ref, { ...ports, words });
            return isTold;
        },
    };
}
function isOpen({ mark, isSigned, isBound }, project) {
    const isTrusted = isSigned && isBound && mark.project === (0,core_mark/* projectName */.j1)(project);
    return isTrusted && mark.role === 'reply' && mark.state === 'job' && mark.job !== null;
}
function openOnCommits({ items }, viewer, { projectId, failOn }, home, ports) {
    return items.flatMap((status) => {
        const { commit, context, creator, createdAt, targetUrl } = status;
        const mark = creator === viewer && (0,core_status/* isOwnContext */.MI)(context) ? (0,core_status/* readStatus */.rk)(status, projectId) : null;
        if (mark === null || mark.job === null || mark.state !== 'job')
            return [];
        const { job, run, hasChange } = mark;
        const { repository } = home;
        const ref = {
            ...{ repository, commit, run, context, owner: { project: projectId, hasChange } },
            ...{ runUrl: targetUrl, failOn: new Set([...redOutcomes, ...failOn]) },
        };
        return [
            {
                ...{ job, since: createdAt, link: { kind: 'commit', repository, commit } },
                async tell(result) {
                    const isTold = await (0,commit_memory/* createCommitMemory */.d)(ref, ports).close(result);
                    const documented = hasChange ? await changeOf(repository, commit, ports) : null;
                    const provenance = {
                        ...{ request: `run:${run}`, step: '', project: (0,core_mark/* projectName */.j1)(projectId), since: createdAt },
                    };
                    await (0,usecases_provenance/* tellPullRequests */.ne)(result, documented, provenance, { ...home, ...ports }, ports);
                    return isTold;
                },
            },
        ];
    });
}
/** The change that ends in a commit, and the pull request that it came by. */
async function changeOf(repository, head, { github }) {
    const pulls = await github.pullsOf(repository, head);
    const all = pulls.ok ? pulls.value : [];
    const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? (all.length === 1 ? all[0] : undefined);
    return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null };
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
    const { runner, jobRef, repository, runUrl, serverUrl, event } = step;
    const home = { repository, runUrl, openedBranch: (0,trigger_event/* openedBranch */.S_)(event) };
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
