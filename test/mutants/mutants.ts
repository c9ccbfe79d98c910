/** The mutants of `npm run mutants`: mistakes that the tests must notice. */

/** The mistake; the text to replace, which must appear exactly once in the file; and the replacement. */
export type Mutant = readonly [does: string, text: string, replacement: string]

export interface MutantGroup {
  /** Relative to the project. */
  file: string
  /** The tests that must fail: paths, or parts of them. */
  tests: readonly string[]
  /** Whether the group only runs with `--all`. */
  isLong?: boolean
  mutants: readonly Mutant[]
}

export const mutantGroups: readonly MutantGroup[] = [
  {
    file: 'src/adapters/wire.ts',
    tests: ['test/adapters/http.test.ts', 'test/github/github.test.ts'],
    isLong: true,
    mutants: [
      ['says that nothing was sent', 'sent = true', 'sent = false'],
      ['leaves a secret in a response', 'redact(Buffer', '(Buffer'],
      ['trusts any certificate', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
    ],
  },
  {
    file: 'src/github/client.ts',
    tests: ['test/github/github.test.ts'],
    isLong: true,
    mutants: [
      ['repeats the creation of a comment', "!== 'POST'", "!== ''"],
      ['sends the token to another host', '.origin !==', ".origin === '' &&"],
      ['forgets an earlier attempt that may have arrived', '||=', '='],
    ],
  },
  {
    file: 'src/core/http.ts',
    tests: ['test/mintlify/schedule.test.ts'],
    mutants: [['repeats a send that got no response', "['no-response', ", '[']],
  },
  {
    file: 'src/core/http.ts',
    tests: ['test/mintlify/schedule.test.ts'],
    mutants: [['repeats a rejected request', 'failure, 408, 429)', 'failure, 400, 408, 429)']],
  },
  {
    file: 'src/mintlify/client.ts',
    tests: ['test/mintlify/schedule.test.ts'],
    mutants: [['repeats a send that may have arrived', '!isSend(name), ', 'true, ']],
  },
  {
    file: 'src/core/log.ts',
    tests: ['test/core/log.test.ts'],
    mutants: [['annotates each warning about a cause', 'causes.has(cause)', 'false']],
  },
  {
    file: 'src/request/gate.ts',
    tests: ['test/request/gate.test.ts'],
    mutants: [
      [
        'allows an account whose role could not be read',
        '!reply.ok) return',
        '!reply.ok) continue\n    if (false) return',
      ],
      ['accepts any role', '!meetsRole', 'false && meetsRole'],
      ['allows any bot', 'isBot && isListed', 'isBot'],
      ['lets in a person with a listed login', 'isBot && isListed', 'isListed'],
      ['allows bots whose login contains an allowed one', 'isSameName(bot, login)', 'login.includes(bot)'],
      ['checks only the first account', 'of accounts', 'of accounts.slice(0, 1)'],
      ['trusts a login that another account has taken over', '!== id)', '=== 0)'],
      ['does not check the account that re-ran the workflow', '> 1 ?', '> 1e9 ?'],
    ],
  },
  {
    file: 'src/core/roles.ts',
    tests: ['test/request/gate.test.ts'],
    mutants: [['lets the name of a custom role decide', "=== 'write' &&", '|| ranks.includes(roleName) ||']],
  },
  {
    file: 'src/core/redact.ts',
    tests: ['test/core/redact.test.ts'],
    mutants: [
      ['leaves a key of eight characters', '= 8', '= 9'],
      ['finds base64 at only two of three offsets', '[0, 1, 2]', '[0, 1]'],
      ['sends a prompt with an encoded key', ').some', ').slice(0, 1).some'],
    ],
  },
  {
    file: 'src/mintlify/client.ts',
    tests: ['test/mintlify/jobs.test.ts'],
    mutants: [
      ['retries after the deadline', 'deadline - clock.now(), ', 'Infinity, '],
      ['gives up at once on a job that is missing for a moment', 'missingGrace = 60_000', 'missingGrace = 0'],
    ],
  },
  {
    file: 'src/mintlify/jobs.ts',
    tests: ['test/mintlify/jobs.test.ts'],
    mutants: [['accepts a missing link at the first poll', "!== 'no-changes'", "!== 'active'"]],
  },
  {
    file: 'src/run/wait.ts',
    tests: ['test/mintlify/jobs.test.ts'],
    mutants: [
      ['reports a timeout for a job that never appeared', 'job !== null && is', 'is'],
      ["treats the previous result as the follow-up's result", '= before === null', '= true'],
    ],
  },
  {
    file: 'src/core/trigger/trigger.ts',
    tests: ['test/core/trigger/trigger.test.ts'],
    mutants: [
      [
        'runs the command of an edited comment',
        '{ action = expected } = event.payload',
        'action: string = expected',
      ],
      ['does not check the account that acted', '[author, sender]', '[author]'],
      ["documents the agent's own change", 'isCausedBy(event, agentLogin)', 'false'],
    ],
  },
  {
    file: 'src/core/trigger/change.ts',
    tests: ['test/core/trigger/trigger.test.ts'],
    mutants: [
      ["follows an upstream run of a fork's code", '.id !== repository', '.id === null && repository'],
      ['follows an upstream run that failed', "!== 'success'", "=== ''"],
      ["runs for a fork's pull request", 'isFork(event)', 'false'],
    ],
  },
  {
    file: 'src/core/prompt/attributes.ts',
    tests: ['test/core/prompt/attributes.test.ts'],
    mutants: [
      ['reads macros in every folder', "folder === '' &&", ''],
      ['matches any number of wildcards', 'effortLimit / wildcards.length', '400'],
      ['prefers the first line', '=== undefined).reverse()', '=== undefined)'],
    ],
  },
  {
    file: 'src/core/prompt/diff.ts',
    tests: ['test/core/prompt/diff.test.ts'],
    mutants: [['sends tests first', '[true, false].flatMap', '[false, true].flatMap']],
  },
  {
    file: 'src/core/globs.ts',
    tests: ['test/core/globs.test.ts'],
    mutants: [['excludes no dot files', ', true)', ')']],
  },
  {
    file: 'src/core/inputs/inputs.ts',
    tests: ['test/core/inputs/inputs.test.ts'],
    mutants: [
      ['accepts a secret in another input', '!containsSecret', 'true || !containsSecret'],
      ['shows a key that was put into the wrong input', 'redact(value)', 'value'],
    ],
  },
  {
    file: 'src/core/inputs/schema.ts',
    tests: ['test/core/inputs/inputs.test.ts'],
    mutants: [
      ['sends the key over plain HTTP', '!loopbackHosts', 'false && !loopbackHosts'],
      ['accepts a site URL that runs code', '!/^https?:$/', 'false && /^/'],
      ['accepts globs that leave the folder', '!?\\.\\.(', '!?$('],
      ['accepts two roles', '!== 1 + bots', '< 1 + bots'],
    ],
  },
  {
    file: 'src/say/calls.ts',
    tests: ['test/say/laws.test.ts'],
    mutants: [['says that a lost request can be repeated', '!isUnconfirmed', 'true || !isUnconfirmed']],
  },
  {
    file: 'src/core/text.ts',
    tests: ['test/core/text.test.ts', 'test/core/prompt/prompt.test.ts', 'test/say/laws.test.ts'],
    mutants: [
      ['prints text from outside unchanged in a sentence', '=> quote(', '=> ('],
      ['lets text start a log command', '$1: ', '$1:'],
      ['lets text end its code block', '>= fence', '> fence'],
    ],
  },
  {
    file: 'src/core/mark.ts',
    tests: ['test/core/mark.test.ts'],
    mutants: [['trusts an unsigned mark', 'signature === sign(', "'' !== sign("]],
  },
  {
    file: 'src/core/hold.ts',
    tests: ['test/core/hold.test.ts'],
    mutants: [
      ['lowers a lifted hold', "=== 'lifted'", "=== ''"],
      ['lifts a hold before the release', '|| isReleased', '|| true'],
    ],
  },
  {
    file: 'src/core/pull-changes.ts',
    tests: ['test/core/pull-changes.test.ts', 'test/run/settle.test.ts'],
    mutants: [
      ['allows another spelling of an excluded path', 'foldCase(path)', "''"],
      ['allows a symbolic link', "kind === 'other' &&", 'false &&'],
      ['allows what the commit does not have', "(kind === 'unknown')", '(false)'],
      ['allows a short name of an excluded path', '&& isAlias(path)', '&& false'],
      ['allows files that GitHub does not list', '(changes.isCut)', '(false)'],
      ['checks with other globs than the step that asked', '=== globsName', '!== globsName'],
    ],
  },
  {
    file: 'src/core/outcome.ts',
    tests: ['test/core/outcome.test.ts', 'test/request/event.test.ts'],
    mutants: [
      ['ends green after an unconfirmed request', "['none', 'always']", "['none', 'never']"],
      ['ends green after a failed job', "['ended', 'by-default']", "['ended', 'if-named']"],
      ['gives up on a job after an error', "['active', 'lost']", "['active']"],
      ['ignores fail-on', 'failOn.has(outcome)', 'false'],
    ],
  },
  {
    file: 'src/steps/agent.ts',
    tests: ['test/steps/clock.test.ts'],
    mutants: [["begins at the machine's time", 'await ports.github.viewer()', '']],
  },
  {
    file: 'src/steps/settle.ts',
    tests: ['test/steps/clock.test.ts'],
    mutants: [["waits for the machine's time", 'await ports.github.viewer()', '']],
  },
  {
    file: 'src/mintlify/jobs.ts',
    tests: ['test/mintlify/links.test.ts'],
    mutants: [
      ['shows a token in a link', "url.password = ''", "url.port = ''"],
      ['records two links to one pull request', 'pull !== null', 'false'],
    ],
  },
  {
    file: 'src/say/outputs.ts',
    tests: ['test/mintlify/links.test.ts'],
    mutants: [['numbers a pull request on another server', 'prLink, serverUrl', 'prLink, prLink']],
  },
  {
    file: 'src/say/markdown.ts',
    tests: ['test/say/markdown.test.ts'],
    mutants: [
      ['lets text become HTML', '`*<|', '`*|'],
      ['links to a URL that runs code', '!/^https?:/', 'false && /^/'],
    ],
  },
  {
    file: 'src/github/repositories.ts',
    tests: ['test/github/github.test.ts'],
    mutants: [['reads a repository that has taken the name', '|| repositoryId === pull', '|| true || pull']],
  },
  {
    file: 'src/record/entry.ts',
    tests: ['test/record/entry.test.ts', 'test/record/next.test.ts'],
    mutants: [
      [
        'trusts an entry that another key signed',
        'isSigned)\n  const countedEntries =',
        'isSigned || true)\n  const countedEntries =',
      ],
      ['ignores an entry of a later version', '=> isNewer)', '=> isNewer && false)'],
      ['lets the latest entry win', 'heightOf(other) - heightOf(one)', 'other.id - one.id'],
      ['mixes attempts', 'highest(lastAttempt)', 'highest(countedEntries)'],
      ['counts one writer for all', 'return -1', 'return 9'],
      ['removes what is still needed', '=== null || !isAtRest', '=== null || false && isAtRest'],
    ],
  },
  {
    // In stories of several runs, this mistake looks again and again, which fills the memory.
    file: 'src/record/next.ts',
    tests: ['test/record/next.test.ts'],
    mutants: [['does not wait after its entry', '?? 0) + lagMs', '?? 0)']],
  },
  {
    file: 'src/record/next.ts',
    tests: ['test/record/next.test.ts', 'test/run/settle.test.ts'],
    mutants: [
      ['sends what may have been received', "'open') return { do: 'give-up'", "'') return { do: 'give-up'"],
      ["trusts another account's entry", 'accounts === null ? top : null', 'top'],
      ['says that a job was started after its result was reported', 'run.waits ||', 'true ||'],
      ['believes the newest status', 'status.createdAt - writtenAt > copyMs', 'false'],
      ['believes an end that a later attempt can follow', ' || hasNoResult(status.entry)', ''],
      ['sends although an entry has another key or a later version', 'doubt !== null', 'false'],
      ['sends although another run said so first', 'first.writer !==', "'' ==="],
      ['reports what another run reports', 'progress)) return leave', 'progress) && false) return leave'],
      ['settles a request that its run holds', '(writer, at)', '(writer, Infinity)'],
      ['settles a young job', 'age < graceMs', 'age < 0'],
      ['calls a pull request ready that it did not check', '|| canCheck', '|| true'],
      ['does not hold a request after the deadline', 'until + graceMs', 'until'],
      ['repeats a send', "withdraw = { do: 'withdraw'", "withdraw = { do: 'send'"],
      ['settles after one look', '< secondLook', '< 0'],
    ],
  },
  {
    file: 'src/run/run.ts',
    tests: ['test/mintlify/jobs.test.ts', 'test/request/command.test.ts'],
    mutants: [
      [
        'sends although it could not write its entry',
        'recordProblem !== null) return stop(run, recordProblem',
        'false) return stop(run, recordProblem',
      ],
      ['sends even if the resume state could not be saved', 'obstacle !== null', 'false'],
      ['does not record the job', "{ state: 'job', job: jobId }", "{ state: 'open' }"],
      ['does not let the post step finish', 'save(run, ports, end)', 'void end'],
    ],
  },
  {
    file: 'src/record/commit.ts',
    tests: ['test/record/commit.test.ts', 'test/request/event.test.ts'],
    mutants: [
      ['repeats a report that GitHub may have', 'isReport ? set()', 'isReport ? retryOnce(set)'],
      ['begins in a context in which a request is open', '&& !taken', '|| !taken'],
      ['begins in a context whose last end can be copied', '!isYoung && ', ''],
      ['goes without a record after a rate limit', '!isTemporary(failure) && ', ''],
    ],
  },
  // Mistakes that show only in the order of several steps' calls.
  {
    file: 'src/record/next.ts',
    tests: ['test/explorer'],
    mutants: [
      ['looks only once', 'at < run', 'at < 0 && run'],
      ['sends although another run is about to', 'progress)) return look', 'progress) && false) return look'],
      ['ignores an uncertain send', "'open' : 'unconfirmed'", "'not-sent' : 'not-sent'"],
      ['reports for a killed run at once', 'look(post.since + lagMs)', 'look(0)'],
    ],
  },
  {
    file: 'src/record/format.ts',
    tests: ['test/record/format.test.ts'],
    mutants: [
      ["counts another account's entry", 'author === viewer)', 'author !== null)'],
      ['signs a comment for any thread', 'threadName(place.thread)', "'1#7'"],
      ['signs a status for any commit', 'repositoryId, commit,', 'repositoryId,'],
      ['trusts an unsigned status', 'tail === tailOf', "'' !== tailOf"],
      ['says that a job with a long ID was not sent', ": 'open'", ": 'not-sent'"],
    ],
  },
  {
    file: 'src/record/thread.ts',
    tests: ['test/request/command.test.ts'],
    mutants: [['loses a result that cannot be posted', 'reply.ok || work', 'true || work']],
  },
  {
    file: 'src/run/open-pulls.ts',
    tests: ['test/run/open-pulls.test.ts'],
    mutants: [
      ['changes a pull request that a person merged or closed', "!== 'open'", "=== ''"],
      ['lifts a hold at an earlier release', 'code.closedAt ?? 0', '0'],
      ['keeps a status for other changes', 'status?.description.endsWith(diffName(pull))', 'status'],
      ['takes every pull request of the agent for its own', 'record !== null ||', 'true ||'],
      ['follows the newest of several records', 'one.id - other.id', 'other.id - one.id'],
    ],
  },
  {
    file: 'src/run/pull.ts',
    tests: ['test/run/pulls.test.ts'],
    mutants: [['writes on any pull request', '!isOpenedFor', 'false && isOpenedFor']],
  },
  {
    file: 'src/request/command.ts',
    tests: ['test/request/command.test.ts'],
    mutants: [
      ['lets everyone in', 'denial !== undefined', 'false'],
      ['sends a review whose comments it could not read', "failToRead('thread', list.failure)", 'null'],
    ],
  },
  {
    file: 'src/record/lists.ts',
    tests: ['test/run/settle.test.ts'],
    mutants: [["deletes a person's comment", 'entries.delete(nodeId)', '{}']],
  },
  {
    file: 'src/run/open-work.ts',
    tests: ['test/run/settle.test.ts'],
    mutants: [
      ['believes that the newest status hides nothing', '!shown.every(isOfJob)', 'false'],
      [
        "believes lists that lack the own account's entries",
        'listed.some(({ isSigned }) => isSigned)',
        'true',
      ],
    ],
  },
  {
    file: 'src/run/settle.ts',
    tests: ['test/run/settle.test.ts'],
    mutants: [
      ['takes its second look at once', 'secondLook - clock.date()', '0'],
      ['does not trust a sleep that ends early', 'Math.max(clock.date(), secondLook)', 'clock.date()'],
      ['believes its first look', 'await lead.look(threads, at)', 'lead.requests'],
      ['begins a result without room for it', 'request.ports.room() < reserve', 'false'],
      ['reads all files of large pull requests ahead', 'changedFiles <= 100', 'changedFiles >= 0'],
      ['forgets at a second look what it has written', '...(cache.entries.get(name) ?? []), ', ''],
      ['begins with statuses that may hide requests', '?? settler.since', '?? 0'],
      ['believes files of an earlier commit', '(!isChecked || isOfHead(reply.value))', 'true'],
      ['says that a rejected report was made', "'unreported', result", "'settled', result"],
    ],
  },
  {
    file: 'src/github/budget.ts',
    tests: ['test/github/budget.test.ts'],
    mutants: [
      ['uses up what other workflows need', 'first / 2', '0'],
      [
        'forgets that a limit was reset',
        'Math.max(left + 1, limits.get(resource)?.first ?? 0)',
        'limits.get(resource)?.first ?? left + 1',
      ],
      ['takes the limit of GraphQL for that of REST', 'limits.set(resource,', "limits.set('',"],
    ],
  },
  {
    file: 'src/run/check-changes.ts',
    tests: ['test/run/check-changes.test.ts'],
    mutants: [
      ['flags a pull request whose list is late', 'reads === maxReads', 'true'],
      ['believes the list of an earlier commit', 'entry?.oid !== id', 'entry === undefined'],
      ["trusts a fork's branch", 'isFork ?', 'false ?'],
    ],
  },
  {
    file: 'src/run/merge.ts',
    tests: ['test/run/merge.test.ts'],
    mutants: [
      ['counts any merge as one into the default branch', '(isOnDefault.value)', '(true)'],
      ['counts a merge into another branch', "state: 'open'", "state: 'merged'"],
      ["lifts a hold because of a fork's merge", '!pull.isFork &&', ''],
      ['takes a parent that was closed before the merge', '>= since', '>= 0'],
    ],
  },
  {
    file: 'src/request/documented.ts',
    tests: ['test/request/sources.test.ts'],
    mutants: [
      ['takes any of several pull requests with the same last commit', '.length === 1 ?', '.length > 0 ?'],
      ["skips the agent's work that someone else merged later", ' && pull.base === branch', ''],
      ['skips a push with a direct commit', 'each.length > 0 &&', ''],
      ['skips a push whose commits are unknown', 'bringers.length > 0 && ', ''],
    ],
  },
  {
    file: 'src/request/documented.ts',
    tests: ['test/request/documented.test.ts'],
    mutants: [
      ['documents the same diff twice', '[...sources.own, ...docs]', 'sources.own'],
      ['forgets what a squash hides', 'agentLogin, stacked)', 'agentLogin)'],
      ['counts a docs pull request that was closed', "?.state !== 'closed'", "?.state !== ''"],
      ['takes a fast-forward for an open pull request', '!isMerged(pull)', 'true'],
    ],
  },
  {
    file: 'src/request/choose.ts',
    tests: ['test/request/choose.test.ts'],
    mutants: [
      ['allows one more open pull request than the limit', '.length < limit', '.length <= limit'],
      ['starts a job if it cannot count', "failToRead('open-pull-requests', open.failure)", 'newJob'],
      ['follows a held pull request', '(isHeld)', '(false)'],
      ['sends a follow-up to a merged pull request', "state === 'open' ?", 'true ?'],
    ],
  },
  {
    file: 'src/request/since-last.ts',
    tests: ['test/steps/since-last.test.ts'],
    isLong: true,
    mutants: [
      ['starts at a push', "!== 'branch'", "=== ''"],
      ['starts at a failed job', '!hasNoResult({', 'true || hasNoResult({'],
      ["starts a job for the agent's own changes", '(sources.areFrom([...sources.own, ...docs]))', '(false)'],
    ],
  },
  {
    file: 'src/visitors/readers-words.ts',
    tests: ['test/visitors/readers-words.test.ts'],
    mutants: [['shows secrets', '...secrets, ', '']],
  },
  {
    file: 'src/visitors/paths.ts',
    tests: ['test/visitors/paths.test.ts'],
    mutants: [['links to other sites', 'isInside && ', '']],
  },
  {
    file: 'src/visitors/period.ts',
    tests: ['test/visitors/period.test.ts'],
    mutants: [
      ['begins weeks on Sunday', '+ 6) % 7', '+ 7) % 7'],
      ['compares a month with a period of equal length', 'if (isMonth)', 'if (false)'],
    ],
  },
  {
    file: 'src/visitors/figures.ts',
    tests: ['test/visitors/figures.test.ts'],
    mutants: [['shows chance as a change', '3 * Math', '0 * Math']],
  },
  {
    file: 'src/visitors/report.ts',
    tests: ['test/visitors/report.test.ts', 'test/visitors/headline.test.ts'],
    mutants: [
      ['raises an alert only beyond alert-drop', '> 1e-9', '>= 0'],
      ['compares pages that were not read', '= isComplete ?', '= pages ?'],
      [
        'pairs a page that moved with any other',
        '.sort((one, other) => gapOf',
        '.toSorted((one, other) => 0 * gapOf',
      ],
      ['raises an alert about pages that were not all read', '!report.isComplete', 'false'],
      ['compares months of different lengths as equal', 'scale = lengthOf', 'scale = 1 || lengthOf'],
    ],
  },
  {
    file: 'src/visitors/render/html.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [['leaves a quotation mark in HTML', `[&<>"']`, "[&<>']"]],
  },
  {
    file: 'src/visitors/render/markdown.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [["leaves readers' words unescaped", 'plain(phrase', '(phrase']],
  },
  {
    file: 'src/visitors/render/files.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [['lets a spreadsheet run a path', '[=+', '[+']],
  },
  {
    file: 'src/visitors/read.ts',
    tests: ['test/visitors/read.test.ts', 'test/steps/visitors.test.ts'],
    mutants: [
      ['does not notice that rows move', 'rows.length < value.pages.length', 'false'],
      ['reports an alert as a usual report', 'alerts.length > 0', 'alerts.length > 1'],
    ],
  },
  {
    file: 'src/visitors/issue.ts',
    tests: ['test/visitors/issue.test.ts'],
    mutants: [["edits a stranger's comment", '?.isSigned', '']],
  },
]
