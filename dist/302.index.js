export const id = 302;
export const ids = [302];
export const modules = {

/***/ 2302:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runVisitorsMode: () => (/* binding */ runVisitorsMode)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./adapters/clock.js
var clock = __webpack_require__(7416);
// EXTERNAL MODULE: ./adapters/github/github.js + 3 modules
var github_github = __webpack_require__(6825);
// EXTERNAL MODULE: external "node:v8"
var external_node_v8_ = __webpack_require__(8877);
;// CONCATENATED MODULE: ./adapters/heap.js
/** How much memory the process takes before it looks for what it can free. */

/**
 * Keeps the heap's nursery at its first size. What a large site's pages leave behind would make V8 enlarge it until it
 * is more than half of the process's memory (`npm run bench`): its growth suits servers, not a step of some seconds.
 * V8 reads the flag each time it would grow; a V8 that has dropped it says so on stderr, and grows.
 */
function keepNurserySmall() {
    (0,external_node_v8_.setFlagsFromString)('--semi-space-growth-factor=1');
}

// EXTERNAL MODULE: ./adapters/http.js
var http = __webpack_require__(2892);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./adapters/contained-path.js
var contained_path = __webpack_require__(9863);
;// CONCATENATED MODULE: ./adapters/report-folder.js
/** Where the report's files are written: inside the given folders, wherever links lead. */



/** Characters that are written at once: a line each would be a system call each. */
const batchSize = 64 * 1024;
/**
 * @param path as the input names it
 * @param folders in one of which it has to lie; a relative path begins at the first
 */
function createReportFolder(path, folders) {
    // Without “..”: behind a folder that is yet to be made, what it leads to could not be looked at.
    const folder = (0,external_node_path_.resolve)(folders[0], path);
    return {
        open: () => guarded(path, async () => {
            // Before anything is made: a link on the way must not have folders made elsewhere.
            const isRefused = (0,contained_path/* isInGit */.a)(folder) || !(await isInside(await deepestThatIs(folder), folders));
            if (isRefused)
                return fault('outside', path);
            await (0,promises_.mkdir)(folder, { recursive: true });
            return { ok: true, value: undefined };
        }),
        write: (name, chunks) => guarded(path, async () => {
            if (!(await isInside(folder, folders)))
                return fault('outside', path);
            const target = (0,external_node_path_.join)(folder, name);
            const partial = `${target}.partial`;
            await (0,promises_.rm)(partial, { force: true });
            // A file that is there, or a link in its place, is replaced and not written through.
            const file = await (0,promises_.open)(partial, 'wx');
            try {
                // Not by file.write: on a disk that is nearly full it may write less than it was given.
                await file.writeFile(batches(chunks)).finally(() => file.close());
                await (0,promises_.rename)(partial, target);
            }
            catch (error) {
                // Who takes the folder up as an artifact takes half a file for one.
                await (0,promises_.rm)(partial, { force: true });
                throw error;
            }
            return { ok: true, value: target };
        }),
    };
}
async function isInside(path, folders) {
    const roots = await Promise.all(folders.map((root) => (0,promises_.realpath)(root)));
    const real = await (0,promises_.realpath)(path);
    return roots.includes(real) || (await (0,contained_path/* resolveContained */.m)(real, roots)) !== undefined;
}
/** The nearest folder above, or the path itself, that there is already. */
async function deepestThatIs(path) {
    try {
        await (0,promises_.realpath)(path);
        return path;
    }
    catch (error) {
        if (error.code !== 'ENOENT' || (0,external_node_path_.dirname)(path) === path)
            throw error;
        return deepestThatIs((0,external_node_path_.dirname)(path));
    }
}
function* batches(chunks) {
    let batch = '';
    for (const chunk of chunks) {
        batch += chunk;
        if (batch.length < batchSize)
            continue;
        yield batch;
        batch = '';
    }
    yield batch;
}
function fault(kind, path) {
    return { ok: false, fault: { kind, input: 'report-dir', path } };
}
/** Turns the file system's errors into a fault; any other error is a defect and goes on. */
async function guarded(path, act) {
    try {
        return await act();
    }
    catch (error) {
        if (error.code === undefined)
            throw error;
        return fault('unwritable', path);
    }
}

// EXTERNAL MODULE: ./adapters/sign.js
var sign = __webpack_require__(6141);
// EXTERNAL MODULE: ./core/outcome.js
var core_outcome = __webpack_require__(489);
// EXTERNAL MODULE: ./render/log.js
var log = __webpack_require__(4668);
// EXTERNAL MODULE: ./render/outputs.js
var render_outputs = __webpack_require__(4520);
// EXTERNAL MODULE: ./core/units.js
var units = __webpack_require__(8774);
// EXTERNAL MODULE: ./core/visitors/period.js
var visitors_period = __webpack_require__(6904);
// EXTERNAL MODULE: ./core/visitors/report.js
var visitors_report = __webpack_require__(327);
// EXTERNAL MODULE: ./render/markdown.js
var markdown = __webpack_require__(6205);
// EXTERNAL MODULE: ./render/problem.js
var render_problem = __webpack_require__(841);
// EXTERNAL MODULE: ./core/visitors/movers.js
var visitors_movers = __webpack_require__(5483);
// EXTERNAL MODULE: ./core/visitors/visitors.js
var visitors = __webpack_require__(1346);
;// CONCATENATED MODULE: ./render/report/notes.js
function notesOf({ timezone, filter }) {
    return [
        'Counts are of unique visitors, and approximate; who reads as a person and through AI is counted under both.',
        "A visitor of several pages is counted on each, so pages do not add up to the site's totals.",
        `Periods are whole days as ${timezone} has them; where the platform's days begin is not documented.`,
        ...(filter.include.length + filter.exclude.length > 0
            ? ['include and exclude narrow the lists of pages, not the totals.']
            : []),
    ];
}

// EXTERNAL MODULE: ./render/report/words.js
var words = __webpack_require__(8892);
;// CONCATENATED MODULE: ./render/report/markdown.js
/** The report as Markdown: for the job summary, an issue's comment, and report.md. */







/** GitHub drops a summary over 1 MiB (actions/runner); below this, in bytes, there is room for what else stands in it. */
const summaryLimit = 900 * 1024;
/** An issue's comment takes so many characters (GitHub); bytes are never fewer. */
const commentLimit = 65_000;
/** Rows of the folded table of all movers, at first. */
const moverRows = 1_000;
/** The whole report, in at most so many bytes: where it would be longer, its tables are shortened and it says so. */
function reportMarkdown(report, jobRef, limit = summaryLimit) {
    for (let rows = Math.max(report.top, moverRows);; rows = Math.floor(rows / 2)) {
        const text = withTables(report, jobRef, rows);
        if ((0,units/* byteLength */.dp)(text) <= limit || rows === 0)
            return text;
    }
}
/** @param rows most rows of any table */
function withTables(report, jobRef, rows) {
    const top = Math.min(report.top, rows);
    const parts = [
        `## 📊 Visitors, ${words/* dateRange */.Mk(report.current.period)}`,
        `**${words/* mainSentence */.p4(report)}**${lacking(report, jobRef)}`,
        totalsTable(report),
        ...report.alerts.map(({ change, threshold }) => `> [!WARNING]\n> People fell by ${words/* share */.uM(-change)}; the alert is set to ${words/* share */.uM(-threshold)}.`),
        ...movedPart(report, Math.min(top, 10)),
        ...trendPart(report.trend),
        ...topPart(report, top),
        mostReadByAi(report, top),
        allMovers(report, rows),
        provenance(report, jobRef),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
/** What is missing, behind the verdict: the platform's own words may be in it. */
function lacking(report, jobRef) {
    const gaps = words/* gapSentences */.bA(report, jobRef);
    return gaps.length === 0 ? '' : `<br><b>Incomplete:</b> ${(0,markdown/* entities */.O5)(gaps.join(' '))}`;
}
function totalsTable(report) {
    const { current, changes } = report;
    const previous = (0,visitors_report/* previousOf */.te)(report);
    const line = (name, of, change) => row(previous === null
        ? [name, of(current.totals)]
        : [name, of(current.totals), of(previous.totals), change]);
    const count = (key) => (counts) => words/* number */.ai(counts[key]);
    const shareOf = (counts) => words/* share */.uM((0,visitors/* aiShare */.ci)(counts));
    const shareChange = previous === null ? '' : words/* points */.WR((0,visitors/* aiShare */.ci)(current.totals), (0,visitors/* aiShare */.ci)(previous.totals));
    const head = previous === null ? ['', 'This period'] : ['', 'This period', 'Before', 'Change'];
    return [
        row(head),
        row([':--', ...head.slice(1).map(() => '--:')]),
        line('Visitors', count('total'), words/* change */.Zg(changes.visitors, current.totals.total > 0)),
        line('People', count('human'), words/* change */.Zg(changes.humanVisitors, current.totals.human > 0)),
        line('AI readers', count('ai'), words/* change */.Zg(changes.aiVisitors, current.totals.ai > 0)),
        line('AI share', shareOf, shareChange),
    ].join('\n');
}
function movedPart({ movers, compared, siteUrl }, top) {
    if (compared.kind === 'none')
        return [];
    const heading = '### What moved';
    if (movers === null)
        return [heading, 'Shown where all pages of both periods were read; this time some are missing.'];
    const all = largestFirst(movers);
    if (all.length === 0)
        return [heading, 'Nothing beyond the usual noise.'];
    const more = all.length > top ? [`And ${words/* number */.ai(all.length - top)} more, below under “All movers”.`] : [];
    return [heading, moversTable(all.slice(0, top), siteUrl), ...more];
}
function largestFirst(movers) {
    return visitors_movers/* moves */.Vq
        .flatMap((move) => movers[move].map((page) => ({ ...page, move })))
        .sort((one, other) => Math.abs((0,visitors_movers/* differenceOf */.Pq)(other)) - Math.abs((0,visitors_movers/* differenceOf */.Pq)(one)));
}
function moversTable(pages, siteUrl) {
    const rows = pages.map((page) => row([
        (0,markdown/* pageLink */.wg)(page.path, siteUrl),
        movement(page),
        `${words/* number */.ai(page.previous?.total ?? 0)} → ${words/* number */.ai(page.current?.total ?? 0)}`,
    ]));
    return [row(['Page', 'Change', 'Visitors']), row([':--', '--:', '--:']), ...rows].join('\n');
}
const signs = { rises: '▲', falls: '▼', new: '✨ new', gone: '∅ none now' };
function movement(page) {
    const isChange = page.move === 'rises' || page.move === 'falls';
    return isChange ? `${signs[page.move]} ${words/* difference */.iv((0,visitors_movers/* differenceOf */.Pq)(page))}` : signs[page.move];
}
/** Colours that hold on GitHub's light and its dark ground; the default palette does on neither. */
const peopleColour = '#2f81f7';
const aiColour = '#d4761c';
function trendPart(trend) {
    // A line that skips points would look as if nothing was missing: it begins after the last gap.
    const shown = trend
        .slice(trend.findLastIndex(({ totals }) => totals === null) + 1)
        .flatMap(({ period, totals }) => (totals === null ? [] : [{ period, totals }]));
    if (trend.length < 2)
        return [];
    const heading = '### Trend';
    if (shown.length < 2)
        return [heading, 'The periods before could not be read this time.'];
    const counts = shown.map(({ totals }) => totals);
    const most = Math.max(1, ...counts.flatMap(({ human, ai }) => [human, ai]));
    const chart = [
        '```mermaid',
        '---',
        'config:',
        '  xyChart:',
        '    height: 300',
        '  themeVariables:',
        '    xyChart:',
        '      backgroundColor: "#00000000"',
        `      plotColorPalette: "${peopleColour}, ${aiColour}"`,
        '---',
        'xychart-beta',
        `  x-axis [${labelsOf(shown).join(', ')}]`,
        `  y-axis "Visitors" 0 --> ${Math.ceil(most * 1.1)}`,
        `  line "People" [${counts.map(({ human }) => Math.round(human)).join(', ')}]`,
        `  line "AI readers" [${counts.map(({ ai }) => Math.round(ai)).join(', ')}]`,
        '```',
    ].join('\n');
    const legend = `🔵 people, 🟠 AI readers, by the period's first day.${unshown(trend.length - shown.length)}`;
    return [heading, chart, legend, figures(shown)];
}
/** The first days; with their years where days are there twice, for Mermaid makes one point of labels that are the same. */
function labelsOf(points) {
    const days = points.map(({ period }) => words/* shortDate */.XV(period.from));
    const isEachOnce = new Set(days).size === days.length;
    return points.map(({ period }, at) => `"${isEachOnce ? days[at] : words/* date */.p6(period.from)}"`);
}
/** Of points before a gap some may have been read. */
function unshown(points) {
    if (points === 0)
        return '';
    return points === 1
        ? ' 1 earlier period is not shown: it could not be read.'
        : ` ${points} earlier periods are not shown: not all could be read.`;
}
function figures(points) {
    const rows = points.map(({ period, totals: { total, human, ai } }) => row([words/* dateRange */.Mk(period), ...[total, human, ai].map(words/* number */.ai)]));
    const table = [
        row(['Period', 'Visitors', 'People', 'AI readers']),
        row([':--', '--:', '--:', '--:']),
        ...rows,
    ];
    return folded('The chart in figures', table.join('\n'));
}
function topPart(report, top) {
    if (report.ids.length === 0)
        return [];
    const pages = report.ids.slice(0, top).map((id) => (0,visitors_report/* pageOf */.ZZ)(report, id));
    const more = report.ids.length > pages.length
        ? [`${words/* number */.ai(pages.length)} of ${words/* number */.ai(report.ids.length)} pages.`]
        : [];
    return ['### Top pages', pagesTable(pages, report), ...more];
}
function pagesTable(pages, report) {
    const before = (0,visitors_report/* previousOf */.te)(report);
    const rows = pages.map(({ path, current, previous }) => {
        const now = current ?? ofMissing(report.current);
        const then = before && (previous ?? ofMissing(before));
        const shown = now === null ? '–' : words/* number */.ai(now.total);
        const change = before === null ? [] : [pageChange(now, then)];
        return row([(0,markdown/* pageLink */.wg)(path, report.siteUrl), shown, ...change, now === null ? '–' : shareBar(now)]);
    });
    const isCompared = before !== null;
    const head = ['Page', 'Visitors', ...(isCompared ? ['Change'] : []), 'AI share'];
    return [row(head), row([':--', '--:', ...(isCompared ? ['--:'] : []), ':--']), ...rows].join('\n');
}
/** A page that a complete reading lacks had no visitor; of one that an incomplete reading lacks nothing is known. */
function ofMissing({ gap }) {
    return gap === null ? { human: 0, ai: 0, total: 0 } : null;
}
function pageChange(now, then) {
    if (now === null || then === null)
        return '–';
    return words/* change */.Zg((0,visitors/* changeOf */.C2)(now.total, then.total), now.total > 0);
}
const barLength = 5;
/** AI's share as a bar of text, and in figures: no colour to tell apart. */
function shareBar(counts) {
    const fraction = (0,visitors/* aiShare */.ci)(counts);
    if (fraction === null)
        return '–';
    const filled = Math.round(Math.min(1, fraction) * barLength);
    return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${words/* wholeShare */.T(fraction)}`;
}
function mostReadByAi(report, top) {
    const readByAi = (id) => report.current.pages.get(id)?.ai ?? 0;
    const ids = report.ids
        .filter((id) => readByAi(id) > 0)
        .sort((one, other) => readByAi(other) - readByAi(one));
    if (ids.length === 0)
        return '';
    const rows = ids.slice(0, top).map((id) => {
        const { path, current } = (0,visitors_report/* pageOf */.ZZ)(report, id);
        const counts = current ?? { human: 0, ai: 0, total: 0 };
        return row([
            (0,markdown/* pageLink */.wg)(path, report.siteUrl),
            words/* number */.ai(counts.ai),
            words/* number */.ai(counts.human),
            shareBar(counts),
        ]);
    });
    const table = [
        row(['Page', 'AI readers', 'People', 'AI share']),
        row([':--', '--:', '--:', ':--']),
        ...rows,
    ];
    const more = ids.length > rows.length
        ? `\n\n${words/* number */.ai(rows.length)} of ${words/* number */.ai(ids.length)} pages that AI read.`
        : '';
    return folded('Most read by AI', `${table.join('\n')}${more}`);
}
function allMovers({ movers, siteUrl }, most) {
    const all = movers === null ? [] : largestFirst(movers);
    if (all.length === 0)
        return '';
    const shown = all.slice(0, most);
    const left = all.length - shown.length;
    const more = left > 0 ? `\n\n${words/* number */.ai(left)} more are not shown here; report-dir has them written to files.` : '';
    return folded(`All movers (${words/* number */.ai(all.length)})`, `${moversTable(shown, siteUrl)}${more}`);
}
function provenance(report, jobRef) {
    const { current, requests, projectId } = report;
    const previous = (0,visitors_report/* previousOf */.te)(report);
    const gaps = words/* gapSentences */.bA(report, jobRef);
    const facts = [
        `Project ${(0,markdown/* code */.aY)(projectId)}, ${words/* dateRange */.Mk(current.period)}`,
        ...(previous === null ? [] : [`compared with ${words/* dateRange */.Mk(previous.period)}`]),
        `${words/* pages */.Bd(current.pages.size)}${previous === null ? '' : ` (${words/* number */.ai(previous.pages.size)} before)`}`,
        gaps.length === 0 ? 'complete' : `<b>incomplete</b>: ${(0,markdown/* entities */.O5)(gaps.join(' '))}`,
        `${words/* number */.ai(requests.used)} of ${words/* number */.ai(requests.limit)} requests used`,
    ];
    return `<sub>${facts.join(' · ')}<br>${notesOf(report).join('<br>')}</sub>`;
}
function folded(title, content) {
    return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}
function row(cells) {
    return `| ${cells.join(' | ')} |`;
}

;// CONCATENATED MODULE: ./render/report/conclusion.js








const headlines = {
    reported: ['📊', 'Visitors'],
    alert: ['🔔', 'Fewer people read the docs'],
    skipped: ['⏭️', 'Skipped'],
    'dry-run': ['🧪', 'Dry run: nothing was read'],
    cancelled: ['🛑', 'Cancelled'],
    error: ['❌', 'The step could not do its work'],
};
/** The log's last line. */
function describeReport(result, inputs, jobRef) {
    const [, title] = headlines[result.outcome];
    return { level: levelOf(result, inputs.failOn), title, text: sentences(result, inputs, jobRef).join('\n') };
}
/** The job summary: the report, and above it what went wrong with handing it over. */
function visitorsSummary(result, inputs, jobRef) {
    const { report, problem } = result;
    if (report !== null && problem === null)
        return reportMarkdown(report, jobRef);
    const [icon, headline] = headlines[result.outcome];
    const text = (report === null ? sentences(result, inputs, jobRef) : problemSentences(result, jobRef))
        .map((line) => (0,markdown/* entities */.O5)(line))
        .join('<br>');
    const parts = [`## ${icon} ${headline}`, text, ...(report === null ? [] : [reportMarkdown(report, jobRef)])];
    return `${parts.join('\n\n')}\n`;
}
function sentences(result, inputs, jobRef) {
    const { report, outcome } = result;
    const alerts = (report?.alerts ?? []).map(({ change, threshold }) => `People fell by ${(0,words/* share */.uM)(-change)}; the alert is set to ${(0,words/* share */.uM)(-threshold)}.`);
    if (outcome === 'dry-run')
        return [plan(inputs)];
    if (outcome === 'cancelled')
        return [`The run was cancelled after ${(0,units/* formatDuration */.a3)(result.elapsed)}. Nothing was written.`];
    return [
        ...alerts,
        ...(report === null ? [] : [(0,words/* verdict */.WJ)(report, jobRef)]),
        ...problemSentences(result, jobRef),
    ];
}
function problemSentences({ problem }, jobRef) {
    if (problem === null)
        return [];
    const { what, why, next } = (0,render_problem/* explain */.W)(problem, jobRef);
    return [what, why, next];
}
function plan({ period, compare, trend, maxRequests, baseUrl, projectId }) {
    const compared = compare ? `, compare it with ${(0,words/* dateRange */.Mk)((0,visitors_period/* before */.gM)(period, 1))}` : '';
    const chart = trend > 1 ? `, chart ${(0,words/* number */.ai)(trend)} periods` : '';
    return `Would read ${(0,words/* dateRange */.Mk)(period)} of project ${projectId} at ${baseUrl}${compared}${chart}, with ${(0,words/* number */.ai)(maxRequests)} requests at most.`;
}
function levelOf({ outcome, report }, failOn) {
    if ((0,core_outcome/* failsStep */.ug)(outcome, failOn))
        return 'error';
    const lacksPages = report !== null && !(0,visitors_report/* isComplete */.As)(report);
    return outcome === 'alert' || lacksPages ? 'warning' : 'notice';
}

;// CONCATENATED MODULE: ./render/report/csv.js
/** visitors.csv: every page of both periods, a line each (RFC 4180), safe to open in a spreadsheet. */

const head = [
    'path',
    'visitors',
    'humanVisitors',
    'aiVisitors',
    'previousVisitors',
    'previousHumanVisitors',
    'previousAiVisitors',
];
function* reportCsv(report) {
    yield line(head);
    for (const id of report.ids) {
        const { path, current, previous } = (0,visitors_report/* pageOf */.ZZ)(report, id);
        const counts = [current, previous].flatMap((each) => [each?.total, each?.human, each?.ai]);
        yield line([csv_text(path), ...counts.map((count) => (count === undefined ? '' : String(count)))]);
    }
}
function line(cells) {
    return `${cells.join(',')}\r\n`;
}
/**
 * A text as a cell. Spreadsheets run what begins with one of these signs, in their full width too, as a formula (OWASP,
 * "CSV injection"); an apostrophe before it makes it text.
 */
function csv_text(value) {
    const safe = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value;
    return `"${safe.replaceAll('"', '""')}"`;
}

;// CONCATENATED MODULE: ./render/report/json.js



function* reportJson(report, jobRef) {
    const { current, trend, requests } = report;
    const previous = (0,visitors_report/* previousOf */.te)(report);
    const reading = ({ period, totals, pages, gap }) => ({
        ...period,
        totals,
        pages: pages.size,
        complete: gap === null,
        whyIncomplete: gap && (0,words/* reason */.l)(gap, requests.limit, jobRef),
    });
    const head = {
        version: 1,
        project: report.projectId,
        site: report.siteUrl,
        generatedAt: new Date(report.generatedAt).toISOString(),
        timezone: report.timezone,
        verdict: (0,words/* verdict */.WJ)(report, jobRef),
        period: reading(current),
        compared: previous && reading(previous),
        change: report.changes,
        alerts: report.alerts,
        trend: trend.map(({ period, totals }) => ({ ...period, totals })),
        movers: report.movers,
        filter: report.filter,
        requests,
        notes: notesOf(report),
    };
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "pages": [`;
    let separator = '\n';
    for (const id of report.ids) {
        yield `${separator}    ${JSON.stringify((0,visitors_report/* pageOf */.ZZ)(report, id))}`;
        separator = ',\n';
    }
    yield '\n  ]\n}\n';
}

;// CONCATENATED MODULE: ./render/report/page.js

/** Where the page has room for the report: a string, so that the page's JSON is JSON before it is filled, too. */
const room = '"%REPORT%"';
/** @param template the page, with room for the report's JSON */
function* reportPage(template, report, jobRef) {
    const [before = '', after = ''] = template.split(room);
    yield before;
    // Inside a script element `</script` and `<!--` end or change it (HTML, 13.1.2.6); in JSON `<` can be written otherwise.
    for (const piece of reportJson(report, jobRef))
        yield piece.replaceAll('<', '\\u003c');
    yield after;
}

// EXTERNAL MODULE: ./usecases/comments.js
var comments = __webpack_require__(2858);
;// CONCATENATED MODULE: ./usecases/publish.js
/** Writes the files one after another; what was written before a fault stays. */
async function writeFiles(files, folder) {
    const paths = {};
    for (const { output, name, chunks } of files) {
        const written = await folder.write(name, chunks);
        if (!written.ok)
            return { ok: false, paths, fault: written.fault };
        paths[output] = written.value;
    }
    return { ok: true, paths };
}

;// CONCATENATED MODULE: ./core/visitors/budget.js
/** How many requests a run may make: the platform's hourly limit is shared by all of an organisation's tools. */
/** Share of the budget that the compared period may take while the current one, which comes first, is still being read. */
const earlyShare = 1 / 3;
class Budget {
    used = 0;
    limit;
    /** @param limit most requests, retries included */
    constructor(limit) {
        this.limit = limit;
    }
    /** Takes one request; false where none is left. */
    take() {
        if (this.used >= this.limit)
            return false;
        this.used++;
        return true;
    }
    /** How many requests the compared period may take before the current one is read. */
    get early() {
        return Math.floor(this.limit * earlyShare);
    }
}

// EXTERNAL MODULE: ./core/visitors/pages.js
var visitors_pages = __webpack_require__(4697);
;// CONCATENATED MODULE: ./core/visitors/paging.js
/** How a period's pages are read: which request comes next, and what ends the reading. */

/** Where a reading stands. */
class Paging {
    /** Of the next request. */
    offset = 0;
    /** The site's totals as last seen; null before the first page. */
    totals = null;
    /** Whether the totals changed from page to page: then pages of two states of the site were mixed. */
    moved = false;
    hasProbed = false;
    /**
     * Takes in a page; says what comes next.
     * @param newRows how many of its rows were of pages not seen before
     */
    saw({ totals, rows, hasMore }, newRows) {
        this.moved ||= this.totals !== null && !(0,visitors/* isSame */.Ft)(this.totals, totals);
        this.totals = totals;
        if (!hasMore)
            return { next: 'end' };
        if (rows.length === 0) {
            // The same offset once more: if the page was empty by mistake, the next one would hide its rows.
            if (this.hasProbed)
                return { next: 'stop', fault: 'empty-page' };
            this.hasProbed = true;
            return { next: 'read' };
        }
        if (newRows === 0)
            return { next: 'stop', fault: 'offset-ignored' };
        this.hasProbed = false;
        // By the limit, not by the rows that came (openapi.yaml): a page may be short although there are more.
        this.offset += visitors/* pageSize */.T0;
        return { next: 'read' };
    }
}

// EXTERNAL MODULE: ./usecases/call.js
var call = __webpack_require__(6060);
;// CONCATENATED MODULE: ./usecases/visitors.js
/** Mode `visitors`: reads two periods side by side, then the chart's other points, and makes the report of them. */







/** Trend points that are read at once. */
const atOnce = 4;
/** Reads what the report shows, within the budget. */
async function runVisitors(inputs, ports) {
    const start = ports.clock.now();
    const result = (outcome, more = {}) => ({
        ...{ outcome, report: null, problem: null, elapsed: ports.clock.now() - start },
        ...more,
    });
    if (inputs.dryRun)
        return result('dry-run');
    const reader = new Reader(inputs, start + inputs.timeout, ports);
    const { current, compared } = await reader.readBoth();
    if (ports.cancelled.aborted)
        return result('cancelled');
    if (!current.ok)
        return result('error', { problem: current.gap.why === 'failed' ? current.gap.problem : null });
    const trend = await reader.readTrend(current.reading, compared);
    if (ports.cancelled.aborted)
        return result('cancelled');
    const { projectId, siteUrl, timezone, top, include, exclude } = inputs;
    const named = (globs, path) => globs.some((glob) => ports.matches(path, glob));
    const report = (0,visitors_report/* buildReport */.FK)({
        ...{ projectId, timezone, top, trend, compared },
        siteUrl: siteUrl || null,
        generatedAt: ports.clock.now(),
        current: current.reading,
        filter: { include, exclude },
        book: reader.book,
        requests: { used: reader.budget.used, limit: reader.budget.limit },
    }, (path) => (include.length === 0 || named(include, path)) && !named(exclude, path), inputs.alertDrop);
    return result(report.alerts.length > 0 ? 'alert' : 'reported', { report });
}
class Reader {
    book = new visitors_pages/* PathBook */.z();
    budget;
    inputs;
    deadline;
    ports;
    constructor(inputs, deadline, ports) {
        this.inputs = inputs;
        this.budget = new Budget(inputs.maxRequests);
        this.deadline = deadline;
        this.ports = ports;
    }
    /** The current period and the one before at once; where the budget is short, the current one goes first. */
    async readBoth() {
        const { period, compare } = this.inputs;
        const reading = this.readPeriod(period, async () => this.take());
        if (!compare)
            return { current: await reading, compared: { kind: 'none' } };
        let early = 0;
        const takeAfterCurrent = async () => {
            // Without the current period there is no report, and what more is read of this one would be for nothing.
            if (early >= this.budget.early && !(await reading).ok)
                return { why: 'budget' };
            early++;
            return this.take();
        };
        const previous = (0,visitors_period/* before */.gM)(period, 1);
        const [current, compared] = await Promise.all([reading, this.readPeriod(previous, takeAfterCurrent)]);
        return {
            current,
            compared: compared.ok
                ? { kind: 'read', reading: compared.reading }
                : { kind: 'unread', period: previous, gap: compared.gap },
        };
    }
    /** Points of the chart; those that were not read yet cost a request each, the latest first. */
    async readTrend(current, compared) {
        const known = [current, ...(compared.kind === 'read' ? [compared.reading] : [])];
        const points = (0,visitors_period/* periodsUpTo */.vH)(current.period, this.inputs.trend).map((period) => {
            const totals = known.find((reading) => reading.period.from === period.from)?.totals ?? null;
            return { period, totals };
        });
        const isSpent = [current.gap, gapOf(compared)].some(isLimit);
        const missing = isSpent ? [] : points.filter(({ totals }) => totals === null).reverse();
        const work = async () => {
            for (let point = missing.shift(); point !== undefined; point = missing.shift()) {
                point.totals = await this.readTotals(point.period);
                // What one point was refused the others will be, too.
                if (point.totals === null)
                    missing.length = 0;
            }
        };
        await Promise.all(Array.from({ length: atOnce }, work));
        return points;
    }
    async readTotals(period) {
        if (this.take() !== null)
            return null;
        const reply = await this.request(period, 1, 0, async () => this.take());
        return reply.ok ? reply.value.totals : null;
    }
    /** All pages of a period. Where the totals changed on the way they are read once more, if the budget allows. */
    async readPeriod(period, take) {
        const { onProgress } = this.ports;
        const { budget } = this;
        const first = await this.readPages(period, take);
        if (!first.ok || !first.moved || first.reading.gap !== null)
            return this.told(first);
        const moving = { ok: true, reading: { ...first.reading, gap: { why: 'moving' } } };
        if (budget.limit - budget.used < first.requests)
            return this.told(moving);
        onProgress({ type: 'reread', period });
        const again = await this.readPages(period, take);
        if (!again.ok || again.reading.gap !== null)
            return this.told(moving);
        return this.told(again.moved ? { ok: true, reading: { ...again.reading, gap: { why: 'moving' } } } : again);
    }
    async readPages(period, take) {
        const { book, ports } = this;
        const paging = new Paging();
        const pages = new visitors_pages/* PageCounts */.e();
        let requests = 0;
        const end = (gap) => {
            const { totals, moved } = paging;
            if (totals === null)
                return { ok: false, gap: gap ?? { why: 'budget' } };
            return { ok: true, reading: { period, totals, pages, gap }, moved, requests };
        };
        for (;;) {
            const gap = await take();
            if (gap !== null)
                return end(gap);
            const reply = await this.request(period, visitors/* pageSize */.T0, paging.offset, take);
            if (!reply.ok) {
                const { failure, attempts } = reply;
                return end({ why: 'failed', problem: { type: 'platform', operation: 'visitors', failure, attempts } });
            }
            requests++;
            const newRows = reply.value.rows.filter((row) => pages.set(book.idOf(row.path), row)).length;
            ports.onProgress({ type: 'pages', period, pages: pages.size, requests });
            const step = paging.saw(reply.value, newRows);
            if (step.next === 'end')
                return end(null);
            if (step.next === 'stop')
                return end({ why: step.fault });
        }
    }
    /** Takes a request from the budget, unless it is too late for one. What a cancelled step lacks nobody reads. */
    take() {
        const { clock, cancelled } = this.ports;
        if (cancelled.aborted || clock.now() >= this.deadline)
            return { why: 'timeout' };
        return this.budget.take() ? null : { why: 'budget' };
    }
    request(period, limit, offset, take) {
        const { projectId } = this.inputs;
        return (0,call/* call */.T1)({
            operation: { name: 'visitors', projectId, period, limit, offset },
            parse: visitors/* parseVisitorsPage */.Sq,
            deadline: this.deadline,
        }, this.ports, async () => (await take()) === null);
    }
    told(read) {
        if (read.ok) {
            const { period, pages, gap } = read.reading;
            this.ports.onProgress({ type: 'period-read', period, pages: pages.size, isComplete: gap === null });
        }
        return read;
    }
}
function gapOf(compared) {
    if (compared.kind === 'unread')
        return compared.gap;
    return compared.kind === 'read' ? compared.reading.gap : null;
}
/** Whether the platform's limit ended a reading: what else would be asked for it would refuse as well. */
function isLimit(gap) {
    const failure = gap?.why === 'failed' ? gap.problem.failure : undefined;
    return failure?.kind === 'refused' && failure.status === 429;
}

// EXTERNAL MODULE: ./steps/best-effort.js
var best_effort = __webpack_require__(3062);
// EXTERNAL MODULE: ./steps/state-keys.js
var state_keys = __webpack_require__(4241);
;// CONCATENATED MODULE: ./steps/visitors.js
/** Mode `visitors`, set up: the adapters that its use cases get, and where the report is put. */





















/** Reads the visitors, writes the report in full, and only then lets an alert fail the step. */
async function runVisitorsMode(inputs, stage) {
    keepNurserySmall();
    const ports = createPorts(inputs, stage);
    const folder = openFolder(inputs, stage);
    // Before any request: a report that has no place would have been read for nothing.
    const opened = await folder?.open();
    if (opened?.ok === false) {
        const problem = { type: 'file', fault: opened.fault };
        return finish(inputs, stage, { outcome: 'error', report: null, problem, elapsed: 0 });
    }
    const result = await runVisitors(inputs, ports);
    const { report } = result;
    if (report === null)
        return finish(inputs, stage, result);
    const written = folder && (await writeFiles(filesOf(report, stage), folder));
    const failed = written?.ok === false
        ? { outcome: 'error', problem: { type: 'file', fault: written.fault } }
        : {};
    await finish(inputs, stage, { ...result, ...failed }, written?.paths);
    // Last: GitHub may keep the comment waiting, and a cancelled step has little time.
    await (0,best_effort/* bestEffort */.z)(stage, () => comment(report, inputs, stage, ports.onProgress));
}
async function finish(inputs, { runner, jobRef }, result, files = {}) {
    const outputs = (0,render_outputs/* visitorsOutputs */.gb)(result, files);
    for (const name of render_outputs/* outputNames */.gr)
        runner.output(name, outputs[name]);
    await runner.summary(visitorsSummary(result, inputs, jobRef));
    runner.log(describeReport(result, inputs, jobRef));
    runner.save(state_keys/* stateKeys */.O.finished, 'true');
    if ((0,core_outcome/* failsStep */.ug)(result.outcome, inputs.failOn))
        process.exitCode = 1;
}
function createPorts(inputs, { runner, jobRef, proxy, cancelled }) {
    return {
        http: (0,http/* createHttp */.V)({ ...inputs, proxy, cancelled, keepAlive: true }),
        clock: clock/* clock */.p,
        random: Math.random,
        cancelled,
        onProgress: (progress) => (0,log/* describe */.q)(progress, jobRef).forEach(runner.log),
        // Paths of pages have slashes wherever the runner runs; whether they begin with one is the platform's habit.
        matches: (path, glob) => external_node_path_.posix.matchesGlob(withoutSlash(path), withoutSlash(glob)),
    };
}
function withoutSlash(path) {
    return path.replace(/^\/+/, '');
}
function openFolder({ reportDir, dryRun }, { workspace, temp }) {
    if (reportDir === '' || dryRun)
        return undefined;
    return createReportFolder(reportDir, [workspace, ...(temp === '' ? [] : [temp])]);
}
function filesOf(report, { jobRef, dist }) {
    const template = (0,external_node_fs_.readFileSync)((0,external_node_path_.join)(dist, 'report.html'), 'utf8');
    return [
        { output: 'reportCsv', name: 'visitors.csv', chunks: reportCsv(report) },
        { output: 'reportJson', name: 'report.json', chunks: reportJson(report, jobRef) },
        { output: 'reportMarkdown', name: 'report.md', chunks: [reportMarkdown(report, jobRef)] },
        { output: 'reportHtml', name: 'report.html', chunks: reportPage(template, report, jobRef) },
    ];
}
async function comment(report, { issueNumber, projectId, githubToken, apiKey }, { repository, jobRef, apiUrl, proxy, cancelled }, onProgress) {
    if (issueNumber === null)
        return;
    const thread = { repository, number: issueNumber, isPullRequest: false, reviewRoot: null };
    const github = (0,github_github/* createGitHub */.C)({ token: githubToken, apiUrl, proxy, cancelled });
    const text = reportMarkdown(report, jobRef, commentLimit);
    await (0,comments/* keepComment */.Xz)(thread, `visitors of ${projectId}`, text, { github, sign: (0,sign/* signWith */.E)(apiKey), onProgress });
}


/***/ })

};
