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
    isLong: true,
    tests: ['test/adapters/http.test.ts', 'test/github/github.test.ts'],
    mutants: [
      ['says that nothing was sent', 'sent = true', 'sent = false'],
      [
        'leaves a secret in a response',
        "redact(Buffer.concat(chunks).toString('utf8'))",
        "Buffer.concat(chunks).toString('utf8')",
      ],
      ['leaves a secret in a header', 'redact(String(value))', 'String(value)'],
      ['reads responses of any size', 'maxResponseSize: replyLimit', 'maxResponseSize: -1'],
      ['trusts any certificate', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
      ['reaches this machine through a proxy', '[proxy.noProxy, ...loopbackHosts]', '[proxy.noProxy]'],
      ['waits for a response without limit', "closeIn(total, 'TIMED_OUT')", ''],
    ],
  },
  {
    file: 'src/github/client.ts',
    isLong: true,
    tests: ['test/github/github.test.ts'],
    mutants: [
      ['repeats the creation of a comment', 'repeatablePosts.test(url)', 'true'],
      ['sends the token to another host', 'new URL(url).origin !== new URL(apiUrl).origin', 'url === apiUrl'],
      ['forgets an earlier attempt that may have arrived', 'isUncertain ||=', 'isUncertain ='],
      ['calls GitHub after the deadline', 'attempt <= tries && timeLeft() > 0', 'attempt <= tries'],
      ["trusts another account's comment", 'author === login', "author !== ''"],
      ['takes a list that GitHub cut for a whole one', 'if (!isCut) return items', 'return items'],
    ],
  },
  {
    file: 'src/core/http.ts',
    tests: ['test/mintlify/schedule.test.ts', 'test/core/http.test.ts'],
    mutants: [
      ['repeats a send that may have arrived', '(isSafe || !mayHaveArrived(failure))', '(isSafe || true)'],
      [
        'repeats a send that got no response',
        "case 'no-response':\n    case 'unreadable':\n    case 'broken':\n      return true",
        "case 'no-response':\n      return false\n    case 'unreadable':\n    case 'broken':\n      return true",
      ],
      ['repeats a rejected request', 'return temporary.includes(failure.status)', 'return true'],
      ['gives up on a 408', '[408, 429]', '[429]'],
      ['gives up on a 429', '[408, 429]', '[408]'],
      [
        'repeats a request to a server with a wrong certificate',
        "return failure.reason !== 'certificate'",
        'return true',
      ],
      [
        'tries again after a redirect',
        "case 'redirected':\n      return false",
        "case 'redirected':\n      return true",
      ],
    ],
  },
  {
    file: 'src/mintlify/schedule.ts',
    tests: ['test/mintlify/schedule.test.ts'],
    mutants: [
      ['retries a send without limit', 'create: 5, message: 5', 'create: 1e9, message: 1e9'],
      ['treats a send as a read', '!isSend(operation)', 'true'],
      [
        'retries after the hourly analytics limit is used up',
        ' && asked === undefined) return',
        ' && false) return',
      ],
      ['gives up on a 429 with a Retry-After', ' && asked === undefined) return', ') return'],
      ['reads a list with an unexpected shape again', "failure.kind === 'unreadable'", 'false'],
      ['tries to send six times', 'create: 5', 'create: 6'],
      ['tries to read visitors only four times', 'visitors: 5', 'visitors: 4'],
      ['tries to read a list as often as visitors', 'list: 2', 'list: 5'],
      ['does not honor Retry-After', 'Math.max(backOff(question), asked ?? 0)', 'backOff(question)'],
      [
        'waits less than the back-off if Retry-After is shorter',
        'Math.max(backOff(question), asked ?? 0)',
        'asked ?? backOff(question)',
      ],
      ['does not double the wait after each attempt', 'firstWait * 2 ** (attempt - 1)', 'firstWait'],
      [
        'doubles the wait without limit',
        'Math.min(maxWait, firstWait * 2 ** (attempt - 1))',
        'firstWait * 2 ** (attempt - 1)',
      ],
      ['retries without jitter', 'wait / 2 + (wait / 2) * random', 'wait'],
      ['reads Retry-After as milliseconds', 'Number(text) * 1000', 'Number(text)'],
      ['reads any text as a date', "text.endsWith(' GMT')", 'true'],
    ],
  },
  {
    file: 'src/request/gate.ts',
    tests: ['test/request/gate.test.ts'],
    mutants: [
      [
        'allows an account whose role could not be read',
        'if (!role.ok) return failed',
        'if (!role.ok) continue\n    if (!role.ok) return failed',
      ],
      [
        'allows an account without a role',
        'if (role.value === null || !meetsRole',
        'if (role.value !== null && !meetsRole',
      ],
      ['accepts any role', ' || !meetsRole(role.value, allowed.role)', ''],
      ['allows any bot', 'if (!isAllowedBot(login, allowed)) return denied', ''],
      ['also requires a role from an allowed bot', 'return denied\n      continue', 'return denied'],
      [
        'checks only the first account',
        '    if (rejection !== undefined) return',
        '    return undefined\n    if (rejection !== undefined) return',
      ],
      ['trusts a login that another account has taken over', 'return answered === id ?', 'return true ?'],
      [
        'trusts a response without an account',
        'return answered === id ?',
        'return answered === null || answered === id ?',
      ],
      [
        'does not check the account that re-ran the workflow',
        '...(attempt > 1 ? [triggeringActor] : [])',
        '',
      ],
      ['does not check the account that triggered the event', '[actor, ...(attempt', '[...(attempt'],
      [
        'checks the same account twice',
        'if (!all.some((known) => isSame(known, account))) all.push(account)',
        'all.push(account)',
      ],
      [
        'treats two accounts with the same login as one',
        'one.id === null || other.id === null || one.id === other.id',
        'true',
      ],
      [
        'treats one account as two if its login differs in case',
        'isSameLogin(one.login, other.login)',
        'one.login === other.login',
      ],
      ['reports a denied person as an error', 'const denied = skipped(', 'const denied = failed('],
      ['does not say that a bot was denied', 'allowed.role, isBot)', 'allowed.role, false)'],
    ],
  },
  {
    file: 'src/core/trigger/request.ts',
    tests: ['test/request/gate.test.ts'],
    mutants: [
      ['requires more than the required role', '>= ranks.indexOf(required)', '> ranks.indexOf(required)'],
      [
        'lets the name of a custom role decide',
        "(permission === 'write' && roleName === 'maintain') || (permission === 'read' && roleName === 'triage')",
        'ranks.includes(roleName)',
      ],
      [
        'treats every reader as a triager',
        "(permission === 'read' && roleName === 'triage')",
        "permission === 'read'",
      ],
      ['treats maintainers as writers', "(permission === 'write' && roleName === 'maintain') || ", ''],
      ['treats triagers as readers', " || (permission === 'read' && roleName === 'triage')", ''],
      ['ranks read above write', "['none', 'read', ...roles]", "['none', ...roles, 'read']"],
      ['compares bot logins case-sensitively', 'isSameLogin(bot, login)', 'bot === login'],
      [
        'allows bots whose login contains an allowed one',
        'isSameLogin(bot, login)',
        'login.toLowerCase().includes(bot.toLowerCase())',
      ],
    ],
  },
  {
    file: 'src/core/redact.ts',
    tests: ['test/core/redact.test.ts'],
    mutants: [
      ['redacts a value of seven characters', 'minLength = 8', 'minLength = 7'],
      ['leaves a key of eight characters', 'minLength = 8', 'minLength = 9'],
      ['leaves the key as it is', '    secret,\n', ''],
      ['leaves a URL-encoded key', '    url,\n', ''],
      ['leaves a key in JSON', 'JSON.stringify(secret).slice(1, -1)', 'secret'],
      ['leaves a key in HTML', 'entities[character] ?? ', ''],
      ['finds base64 at only one of three offsets', '[0, 1, 2].flatMap', '[0].flatMap'],
      ['finds base64 at only two of three offsets', '[0, 1, 2].flatMap', '[0, 1].flatMap'],
      ['leaves a key in URL-safe base64', "[core, core.replaceAll('+', '-').replaceAll('/', '_')]", '[core]'],
      ['misses base64 with other text around the key', '.slice(shift === 0 ? 0 : 4, whole)', ''],
      [
        'leaves the end of a longer key',
        '.sort((one, other) => other.length - one.length)',
        '.sort((one, other) => one.length - other.length)',
      ],
      [
        'replaces only the first occurrence of a key',
        'rest.replaceAll(form, replacement)',
        'rest.replace(form, replacement)',
      ],
      [
        'sends a prompt with an encoded key',
        'some((form) => text.includes(form))',
        'slice(0, 1).some((form) => text.includes(form))',
      ],
    ],
  },
  {
    file: 'src/mintlify/schedule.ts',
    tests: ['test/mintlify/schedule.test.ts'],
    mutants: [
      ['polls at once', 'firstRead = 15_000', 'firstRead = 0'],
      ['waits the full first interval after a late start', 'firstRead - age', 'firstRead'],
      ['polls every second', 'minInterval = 5_000', 'minInterval = 1_000'],
      ['polls an old job as often as a new one', 'Math.max(minInterval, age * shareOfAge)', 'minInterval'],
      ['polls an old job too rarely', 'shareOfAge = 1 / 100', 'shareOfAge = 1 / 10'],
      ['polls without jitter', 'jitter = 0.1', 'jitter = 0'],
      ['uses jitter only to wait longer', '(1 - jitter + 2 * jitter * random)', '(1 + jitter * random)'],
      ['ignores poll-interval', "if (interval !== 'auto') return interval", ''],
      ['returns a negative wait', 'Math.max(0, Math.round(', 'Math.max(-60_000, Math.round('],
    ],
  },
  {
    file: 'src/mintlify/jobs.ts',
    tests: ['test/mintlify/jobs.test.ts'],
    mutants: [
      [
        'gives a send no more time than a read',
        '[sendTimeout, sendTimeoutOnceCancelled]',
        '[readTimeout, sendTimeoutOnceCancelled]',
      ],
      ['aborts a send at a cancel', '[sendTimeout, sendTimeoutOnceCancelled]', '[sendTimeout, 0]'],
      ['keeps waiting for a read after a cancel', ': [readTimeout, 0]', ': [readTimeout, 5_000]'],
      ['lets a request run long past the deadline', 'Math.min(most, left + graceAtDeadline)', 'most'],
      ['gives a request at the deadline no time', 'left + graceAtDeadline', 'left'],
      ['retries after a cancel', 'if (reply.ok || cancelled.aborted) return', 'if (reply.ok) return'],
      ['retries after the deadline', ' || now + wait > deadline', ''],
      [
        'polls recorded jobs after the deadline',
        'cancelled.aborted || clock.now() >= deadline',
        'cancelled.aborted',
      ],
      ['retries even if the caller forbids it', ' || !isAllowed()', ''],
      ['retries after a cancel during the wait', 'if (cancelled.aborted || !is', 'if (!is'],
      ['does not count attempts', 'for (let attempt = 1; ; attempt++)', 'for (let attempt = 1; ; )'],
      ['does not log failed attempts', 'if (isSend(operation) || attempt === 1)', 'if (false)'],
      ['logs nothing while it waits', 'tell(until - clock.now())', ''],
      ['waits forever for a deleted job', 'if (clock.now() - missingSince < missingGrace)', 'if (true)'],
      ['gives up at once on a job that is missing for a moment', 'missingGrace = 60_000', 'missingGrace = 0'],
      [
        'counts an outage towards the time for which a job is missing',
        'missingSince = undefined',
        'missingSince ??= clock.now()',
      ],
      ['waits for a job that never appeared', 'isRecorded || job !== null)', 'true)'],
      ['gives up on a job that is missing for a moment', 'isRecorded || job !== null)', 'isRecorded)'],
      [
        'accepts a missing link at the first poll',
        "!== 'no-changes') return read",
        "!== 'active') return read",
      ],
      ['sleeps past the deadline', 'Math.min(clock.now() + wait, deadline)', 'clock.now() + wait'],
      [
        'keeps polling after a cancel',
        "    if (cancelled.aborted) return end('cancelled')\n    const read",
        '    const read',
      ],
      [
        'polls for a late link after a cancel',
        'ports.cancelled.aborted ? read : readJob',
        'ports.cancelled.aborted && false ? read : readJob',
      ],
      [
        'treats a poll that a cancel interrupted as a result',
        "    if (cancelled.aborted) return end('cancelled')\n    if (!read",
        '    if (!read',
      ],
      ['polls after the deadline', '    if (clock.now() >= deadline) return', '    if (false) return'],
      ['waits before the first poll of a job that it resumes', 'job === null ? 0 : nextPoll', 'nextPoll'],
      [
        'reports a timeout for a job that never appeared',
        'job !== null && mayRepeat(failure, true)',
        'mayRepeat(failure, true)',
      ],
      [
        'reports a timeout if the key is rejected',
        'job !== null && mayRepeat(failure, true)',
        'job !== null',
      ],
      ['logs the same status at every poll', ' || status === before?.status) return', ') return'],
      [
        "treats the previous result as the follow-up's result",
        'let isCurrent = before === null',
        'let isCurrent = true',
      ],
      ['waits forever for a follow-up to change something', '!isSame || age >= settling', '!isSame'],
      ['accepts the previous result too soon', 'settling = 180_000', 'settling = 18_000'],
      ['does not notice a new link', ' && prLink === before.prLink', ''],
      ['does not notice a new archive date', ' && archivedAt === before.archivedAt', ''],
      ['treats a response without a status as a change', 'status === null ||\n      (', '('],
      ['does not log that nothing changed', 'if (isCurrent && isSame && isTerminal(status))', 'if (false)'],
    ],
  },
  {
    file: 'src/core/trigger/trigger.ts',
    tests: ['test/core/trigger'],
    mutants: [
      ['runs the command of an edited comment', 'if (action !== begun)', 'if (action === undefined)'],
      ["runs the command of a review on a fork's pull request", 'if (review && isFork(event))', 'if (false)'],
      ["runs a label on a fork's pull request", 'if (thread.isPullRequest && isFork(event))', 'if (false)'],
      ["runs for a fork's pull request", 'if (read !== undefined && isFork(event))', 'if (false)'],
      ['does not check the account that acted', '...(sender === null ? [] : [sender])', ''],
      [
        "documents the agent's own change",
        'return isCausedBy(event, agentLogin)',
        'return (agentLogin === "")',
      ],
    ],
  },
  {
    file: 'src/core/trigger/change.ts',
    tests: ['test/core/trigger'],
    mutants: [
      ["follows an upstream run of a fork's code", 'run.head_repository.id !== repository.id', 'false'],
      ['follows an upstream run of a deleted fork', '!run.head_repository ||', 'run.head_repository &&'],
      ['follows an upstream run that failed', "run.conclusion !== 'success'", 'false'],
      ['trusts a login in different case', 'isSameLogin(account, login)', 'account === login'],
    ],
  },
  {
    file: 'src/core/globs.ts',
    tests: ['test/core/globs.test.ts'],
    mutants: [
      ['excludes no dot files', 'matchesGlob(path, glob.slice(1), true)', 'matchesGlob(path, glob.slice(1))'],
      ['selects paths of any length', 'path.length <= maxPathLength &&\n', ''],
    ],
  },
  {
    file: 'src/core/prompt/diff.ts',
    tests: ['test/core/prompt/diff.test.ts'],
    mutants: [
      ['sends hidden characters of a diff', 'showHidden(file.patch)', 'file.patch'],
      ['sends files over the limit', 'left >= 0 ? [file] : []', '[file]'],
    ],
  },
  {
    file: 'src/core/prompt/prompt.ts',
    tests: ['test/core/prompt/prompt.test.ts'],
    mutants: [
      ['sends hidden characters of the prompt', 'stripHidden(instruction)', 'instruction'],
      ['sends files over the limit', 'left = why === null ? left - bytes : 0', ''],
    ],
  },
  {
    file: 'src/core/prompt/visible.ts',
    tests: ['test/core/prompt/visible.test.ts'],
    mutants: [
      ['shows hidden characters', 'const text = stripHidden(shown)', 'const text = shown'],
      [
        'shows elements that are not on the list',
        "(pictures.get(name) ?? 'other element')",
        'pictures.get(name)',
      ],
      ['shows hidden elements', "has(element, 'hidden') ||", ''],
      ['shows text for screen readers', 'unseenClass.test(', '/^$/.test('],
      ['shows the source of diagrams', 'drawn.test(marks) ||', ''],
      ['shows the source of maps', '&& isMap(element)', '&& false'],
      ['shows the source of formulas', "['math-renderer', 'formula'],\n", ''],
      ['shows the parentheses of ruby', "'clipboard-copy', 'rp', 'svg'", "'clipboard-copy', 'svg'"],
      ['reads a page of any depth', 'place.depth === deepest', 'place.depth < 0'],
    ],
  },
  {
    file: 'src/core/inputs/inputs.ts',
    tests: ['test/core/inputs'],
    mutants: [
      ['accepts both prompt and prompt-file', "has('prompt') && has('prompt-file'),", 'false,'],
      ['runs without a prompt', "!hasPrompt(raw) && !has('job-id') && !isCommand", 'false'],
      ['requires a prompt in addition to a comment', ' && !isCommand,\n', ',\n'],
      ['accepts commands without a token', "isCommand ? ['command'] : []", '[]'],
      ['accepts labels without a token', "['label', 'context-paths'", "['context-paths'"],
      [
        'accepts context-paths without a token',
        "'context-paths', 'open-limit', 'pull",
        "'open-limit', 'pull",
      ],
      ['accepts a hold without a token', "isHolding ? ['hold'] : []", '[]'],
      ['accepts a hold with a limit', "isHolding && has('open-limit')", 'false'],
      ['accepts context-paths without a diff', "has('context-paths') && isFalse('context-diff')", 'false'],
      ['accepts context-files for a job that it resumes', "has('context-files') && isResume", 'false'],
      ['accepts wait: false for a job that it resumes', "isResume && isFalse('wait')", 'false'],
      ['accepts mode settle without a token', "tokenFault(raw, ['mode settle'])", '[]'],
      [
        'accepts a secret in another input',
        '.filter((input) => containsSecret',
        '.filter((input) => false && containsSecret',
      ],
      ['shows a key that was put into the wrong input', 'oneLine(redact(value)', 'oneLine(value'],
      ['shows unknown Mintlify keys', ".replace(/mint_[\\w-]{8,}/g, 'mint_***')", ''],
      ['accepts inputs of another mode', 'const isGiven = value !== ', 'const isGiven = false && value !== '],
      ["rejects another mode's input with its default value", ' && !owners.every(isDefault)', ''],
      ['does not report contradictions next to a malformed input', '    ...combined[name](),\n', ''],
    ],
  },
  {
    file: 'src/core/inputs/schema.ts',
    tests: ['test/core/inputs'],
    mutants: [
      ['accepts a drop of 0%', 'percent > 0 && ', ''],
      [
        'sends the key over plain HTTP',
        ' || loopbackHosts.includes(hostname) ?',
        " || protocol === 'http:' ?",
      ],
      ['accepts a base-url with a password', "url.username === '' && url.password === '' && ", ''],
      ['accepts an assistant key', '!/^mint_(dsc|us)_/.test(key)', '!/^mint_us_/.test(key)'],
      ['accepts a key of seven characters', 'minKeyLength = 8', 'minKeyLength = 7'],
      ['reads yes as true', '/^(true|True|TRUE)$/', '/^(true|True|TRUE|yes)$/'],
      ['accepts globs that leave the folder', '/^!?\\.\\.$/.test(part)', '/^$/.test(part)'],
      ['accepts absolute globs', '/^!?([/\\\\]|[A-Za-z]:)/.test(glob)', 'false'],
      ['accepts globs that take too long to match', 'globs.some(isUnusable)', 'false'],
      ['accepts unknown names in a list', 'new Set(given).size === known.length', 'known.length > 0'],
      ['accepts an empty list', 'given.length > 0 && ', ''],
      ['accepts a value over its limit', ' && value <= most', ''],
      ['accepts a value under its limit', ' && value >= least', ''],
      ['accepts two roles', '&& all.length === 1 + bots.length', ''],
      ['accepts a site URL that runs code', '!/^https?:$/.test(url.protocol)', 'false'],
    ],
  },
  {
    file: 'src/visitors/readers-words.ts',
    tests: ['test/visitors/readers-words.test.ts'],
    mutants: [
      ['shows email addresses', '[...addresses, ...secrets, ...numbers]', '[...secrets, ...numbers]'],
      [
        'shows secrets in paths',
        'masked(path.slice(0, end), [...addresses, ...secrets])',
        'path.slice(0, end)',
      ],
    ],
  },
  {
    file: 'src/visitors/paths.ts',
    tests: ['test/visitors/paths.test.ts'],
    mutants: [['links to other sites', 'return isInside && ', 'return ']],
  },
  {
    file: 'src/visitors/headline.ts',
    tests: ['test/visitors/headline.test.ts'],
    mutants: [['leaves the page that lost most out', "    ...pageClauses(report, 'down'),\n", '']],
  },
  {
    file: 'src/visitors/report.ts',
    tests: ['test/visitors/report.test.ts'],
    mutants: [
      ['raises an alert only beyond alert-drop', '> 1e-9 - alertDrop', '>= -alertDrop'],
      ['compares pages that were not read', 'report.isComplete ? report.ids : []', 'report.ids'],
    ],
  },
  {
    file: 'src/visitors/render/html.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [['leaves a quotation mark in HTML', `/[&<>"']/g`, `/[&<>']/g`]],
  },
  {
    file: 'src/visitors/render/markdown.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [["leaves readers' words unescaped", 'plain(phrase(column, row))', 'phrase(column, row)']],
  },
  {
    file: 'src/visitors/render/files.ts',
    tests: ['test/visitors/render/printers.test.ts'],
    mutants: [['lets a spreadsheet run a path', String.raw`=+\-@\uFF1D`, String.raw`+\-@\uFF1D`]],
  },
  {
    file: 'src/visitors/sections/questions.ts',
    tests: ['test/visitors/sections.test.ts'],
    mutants: [['counts each turn of a conversation', 'each.conversationId ?? each', 'each']],
  },
  {
    file: 'src/visitors/read.ts',
    tests: ['test/visitors/read.test.ts'],
    mutants: [
      ['makes more than max-requests', 'run.used >= run.request.maxRequests', 'false'],
      ['lists the home page twice', "pages.merge(book.idOf(''), book.idOf('/'))", ''],
      ['does not notice that rows move', 'isMixed ||= isShifted || ', 'isMixed ||= '],
    ],
  },
  {
    file: 'src/visitors/issue.ts',
    tests: ['test/visitors/issue.test.ts'],
    mutants: [["edits a stranger's comment", 'return mark?.isSigned ?', 'return mark ?']],
  },
  {
    file: 'src/core/problems.ts',
    tests: ['test/say/laws.test.ts'],
    mutants: [
      ['says that a lost request can be repeated', '!isSend(name) || !mayHaveArrived(failure)', 'true'],
      ['asks for permissions while GitHub is down', ' && status !== null && status < 500', ''],
      ['lists every file outside allowed-paths', 'paths.slice(0, pathLimit)', 'paths'],
      ['calls a missing secret a mistake in the workflow file', 'inputRemedies[input] ?? ', ''],
    ],
  },
  {
    file: 'src/core/text.ts',
    tests: ['test/say/hostile.test.ts', 'test/say/laws.test.ts'],
    mutants: [
      [
        'prints text from outside unchanged in a sentence',
        '...values.map((value) => quoted(String(value)))',
        '...values',
      ],
      ['lets text from outside end its code', ".replaceAll('`', \"'\")", ''],
    ],
  },
  {
    file: 'src/say/messages.ts',
    tests: ['test/say/hostile.test.ts'],
    mutants: [['logs a prompt of any size', 'cut(text, promptLimit)', 'text']],
  },
  {
    file: 'src/say/conclusion.ts',
    tests: ['test/say/laws.test.ts'],
    mutants: [
      ['says how to wait for a job that does not exist', ' && !isUnusableJobId(result)', ''],
      ['ends a failed step without an error', "failsStep(outcome, failOn) ? 'error' : usual", 'usual'],
    ],
  },
  {
    file: 'src/say/replies.ts',
    tests: ['test/say/laws.test.ts', 'test/say/hostile.test.ts'],
    mutants: [
      ['mentions the account that it turns away', '{prose(what)}', "{what.replaceAll('`', '')}"],
      ['links the run twice', "next.includes(runUrl) ? '' : runUrl", 'runUrl'],
      [
        'gives a commenter the advice for maintainers',
        "? '' : prose(what)",
        "? '' : prose(what + conclude(result).next)",
      ],
    ],
  },
  {
    file: 'src/core/outcome.ts',
    tests: ['test/core/outcome.test.ts', 'test/core/inputs/inputs.test.ts'],
    mutants: [
      [
        'ends green after an unconfirmed request',
        "unconfirmed: ['none', 'always']",
        "unconfirmed: ['none', 'never']",
      ],
      [
        'ends green after a signal that the runner did not send',
        "cancelled: ['active', 'always']",
        "cancelled: ['active', 'never']",
      ],
      [
        'ends red after an archived job',
        "archived: ['ended', 'if-named']",
        "archived: ['ended', 'by-default']",
      ],
      ['ends green after a failed job', "failed: ['ended', 'by-default']", "failed: ['ended', 'if-named']"],
      ['treats a detached job as ended', "detached: ['active'", "detached: ['ended'"],
      ['gives up on a job after an error', "['active', 'lost'].includes", "['active'].includes"],
      [
        'ignores fail-on',
        "failing(outcome) === 'always' || failOn.has(outcome)",
        "failing(outcome) === 'always'",
      ],
    ],
  },
  {
    file: 'src/record/entry.ts',
    tests: ['test/record/entry.test.ts'],
    mutants: [
      [
        'trusts an entry that another key signed',
        'found.filter(({ isSigned }) => isSigned)\n  const attempt',
        'found\n  const attempt',
      ],
      [
        'counts what a writer stated before it withdrew',
        " || (state === 'open' && unsent.includes(writer))",
        '',
      ],
      ['takes any end for a pull request', 'isRequestEnd(state) ? 0.5 : 0', 'isRequestEnd(state) ? 0 : 0'],
      ['takes the last of several ends', 'latest.toSorted((', 'latest.toReversed().toSorted(('],
      [
        'removes what is still needed',
        'if (top === null || !isAtRest(top.entry.state)) return []',
        'if (top === null) return []',
      ],
    ],
  },
  {
    file: 'src/record/next.ts',
    tests: ['test/record/next.test.ts', 'test/run/settle.test.ts'],
    mutants: [
      [
        'sends what may have been received',
        "if (state === 'open') return { do: 'give-up', attempt, why: 'unfinished-run' }",
        '',
      ],
      [
        'sends although the key has changed',
        "if (known.isForeign) return { do: 'give-up', attempt: current, why: 'key-changed' }",
        '',
      ],
      [
        'does not look after it has said that it sends',
        "if (run.isFirst) return { do: 'send' }",
        "return { do: 'send' }",
      ],
      ['sends although another run said so first', ' || earliest !== run.writer', ''],
      ['sends although another run has a job', 'isSent || earliest', 'earliest'],
      ['sends although there is a later attempt', 'attempt > run.attempt || isSent', 'isSent'],
      ['waits for a run that has withdrawn', "state === 'not-sent' || (", '('],
      ['waits for itself', 'each.writer !== writer && ', ''],
      [
        'reports what another run reports',
        'isOver || isHeldByOthers(run, known)',
        'isOver && isHeldByOthers(run, known)',
      ],
      ['lowers what a killed run wrote', 'higher(own.state, post.state)', 'post.state'],
      [
        'settles a request that its run holds',
        'if (writers.some((writer) => isHeld(writer, at))) return leave',
        'if (writers.some((writer) => isHeld(writer, Infinity))) return leave',
      ],
      ['settles a young job', 'if (age < graceMs && !isOpened) return leave', ''],
      [
        'never gives up on a job',
        "if (age > oldestMs) return { do: 'end', outcome: 'error', why: 'no-result' }",
        '',
      ],
      ['waits for every active job', 'isOpened && canCheck ?', 'canCheck ?'],
      ['waits for a job that it cannot check', 'isOpened && canCheck ?', 'isOpened ?'],
      [
        'calls a pull request ready that it did not check',
        "outcome !== 'pull-request' || canCheck",
        'canCheck || true',
      ],
      ['does not hold a request after the deadline', 'now <= until + graceMs', 'now <= until'],
      ['holds a request that its run has left', ' && !isLeft && ', ' && '],
      ['does not look behind an early end', ' || createdAt - since < shortMs', ''],
      ['does not look behind an end that hides a request', ' || hides || createdAt', ' || createdAt'],
      ['waits for a later command', 'const isEarlier = own === null || id < own', 'const isEarlier = true'],
      ['waits for an earlier command forever', 'isPending && now < since + earlierMs', 'isPending'],
    ],
  },
  // Mistakes that show in the order of several steps' calls: the explorer must notice them. No other test of the code does,
  // except for “lets the latest entry win”, “mixes attempts”, “repeats a send”, “ignores an uncertain send” and “settles
  // after one look”.
  {
    file: 'src/record/entry.ts',
    tests: ['test/explorer'],
    mutants: [
      [
        'lets the latest entry win',
        'latest.toSorted((one, other) => height(other) - height(one))[0]',
        'latest.toSorted((one, other) => 0 * height(one) + other.id - one.id)[0]',
      ],
      ['mixes attempts', 'top: highest(latest)', 'top: highest(signed)'],
      [
        'counts one writer for all',
        "if (state === 'not-sent') return -1",
        "if (state === 'not-sent') return 9",
      ],
      [
        'removes the result of an earlier attempt',
        '(each !== top && !isRequestEnd(each.entry.state))',
        'each !== top',
      ],
    ],
  },
  {
    file: 'src/record/next.ts',
    tests: ['test/explorer'],
    mutants: [
      ['looks only once', 'at < run.since + lagMs', 'at < 0'],
      [
        'sends although another run is about to',
        'if (isHeldByOthers(run, known)) return look',
        'if (at < 0) return look',
      ],
      ['does not wait after its entry', '(run.openedAt ?? 0) + lagMs', '(run.openedAt ?? 0) + 1'],
      ['repeats a send', "isOvertaken ? 'withdraw' : 'send'", "'send'"],
      [
        'ignores an uncertain send',
        "state: outcome === 'cancelled' ? 'open' : 'unconfirmed'",
        "state: 'not-sent'",
      ],
      [
        'reports after one look',
        'if (known === null) return look(run.since + lagMs)',
        'if (known === null) return look(0)',
      ],
      [
        'reports for a killed run at once',
        'if (known === null) return look(since + lagMs)',
        'if (known === null) return look(0)',
      ],
      [
        'reports for a killed run twice',
        '  if (own !== undefined && isAtRest(own.state)) return leave\n',
        '',
      ],
      ['settles after one look', 'if (known.at < settler.since + lagMs)', 'if (known.at < 0)'],
    ],
  },
  {
    file: 'src/run/live.ts',
    tests: ['test/explorer'],
    mutants: [
      [
        'does not look whether another run sends',
        "if (step.do === 'withdraw') {",
        "if (step.do === 'repeat') {",
      ],
      ['counts every run as the sender', "isSender = step.do === 'open'", 'isSender = true'],
      ['looks too soon after its entry', 'openedAt ??= clock.date()', 'openedAt ??= clock.date() - 10_000'],
      [
        'records a job that it only waits for',
        'follow(step.job, null, null)',
        'follow(step.job, null, newJob)',
      ],
      ['lets the post step look at once', 'since: ports.clock.date(), hasResult', 'hasResult'],
    ],
  },
  {
    file: 'src/run/settle.ts',
    tests: ['test/explorer'],
    mutants: [
      ['leaves two comments on a pull request', 'await discard(copies, ports)', ''],
      ['looks behind open contexts only', '!isSettledContext(status, since)', "status.state === 'pending'"],
      ['leaves a working comment beside its result', "if (step.do === 'clear') await place.clear()", ''],
    ],
  },
  {
    file: 'src/record/commit.ts',
    tests: ['test/explorer'],
    mutants: [
      [
        'leaves a status that a withdrawn run set',
        'isShown && !isOpen(fold(own())) ?',
        'isShown && isOpen(fold(own())) ?',
      ],
      [
        'hides a request that began at the same time',
        'isReport && (read?.ok === false || others().length > 0)',
        'false',
      ],
      [
        'begins in a context in which a request is open',
        'return isUnknown || others()',
        'return isUnknown && others()',
      ],
      ['repeats a report that GitHub may have', 'isReport ? writing() : twice(writing)', 'twice(writing)'],
    ],
  },
  {
    file: 'src/record/format.ts',
    tests: ['test/record/format.test.ts'],
    mutants: [
      [
        'signs a comment for any thread',
        "readMark('docs-agent', body, threadName(place.thread), sign)",
        "readMark('docs-agent', body, 'acme/docs#7', sign)",
      ],
      [
        'signs a status for any commit',
        "['status', run.repository.toLowerCase(), commit, context,",
        "['status', run.repository.toLowerCase(), context,",
      ],
      ['treats changed words as its own', 'isIntact: hash === hashOf(words)', 'isIntact: true'],
      [
        'says that a job with a long ID was not sent',
        "isAtRest(entry.state) ? entry.state : 'open'",
        "'not-sent'",
      ],
    ],
  },
  {
    file: 'src/run/live.ts',
    tests: ['test/mintlify/jobs.test.ts', 'test/request/command.test.ts', 'test/explorer'],
    mutants: [
      [
        'sends without an entry',
        "const unwritten = await write('open', choice)",
        "const unwritten = null as AgentResult | null\n    void write('open', choice)",
      ],
      [
        'sends even if the resume state could not be saved',
        'unsent !== null || cancelled.aborted',
        'cancelled.aborted',
      ],
      ['does not record the job', "      await write('job', sent.choice)\n", ''],
      [
        'does not report the result on the pull request',
        'await announce({ result, place, since, settings: inputs }, ports)',
        '',
      ],
      [
        'leaves the working comment',
        'if (isDone && (await place.clear())) host.save(null)',
        'host.save(null)',
      ],
      ['does not let the post step finish', '    save(end)\n', ''],
    ],
  },
  {
    file: 'src/record/lists.ts',
    tests: ['test/request/choose.test.ts'],
    mutants: [['trusts an unsigned status', 'isSigned && createdAt >= since', 'createdAt >= since']],
  },
  {
    file: 'src/record/commit.ts',
    tests: ['test/request/event.test.ts', 'test/run/settle.test.ts'],
    mutants: [
      ['tries again to record what it cannot', '      if (isOff) return { ok: true, value: null }\n', ''],
      ['hides another run', 'signed(other) === context', 'false'],
      [
        'goes without a record after a rate limit',
        "kind !== 'rate-limit' && status !== null",
        'status !== null',
      ],
    ],
  },
  {
    file: 'src/record/lists.ts',
    tests: ['test/run/settle.test.ts'],
    mutants: [
      ['stops at a commit with too many statuses', "kind === 'too-long' ?", "kind === 'rate-limit' ?"],
    ],
  },
  {
    file: 'src/record/thread.ts',
    tests: ['test/request/command.test.ts', 'test/run/settle.test.ts'],
    isLong: true,
    mutants: [
      [
        'loses a result that cannot be posted',
        'posted.ok || commentOf(statement.writer) === null ? posted : await edit(draft)',
        'posted',
      ],
      ['leaves a comment with another key', '!isSigned && id < top.id', 'isSigned && id < 0'],
    ],
  },
  {
    file: 'src/run/settle.ts',
    tests: ['test/run/settle.test.ts', 'test/request/command.test.ts'],
    isLong: true,
    mutants: [
      [
        'reports a job that is no longer the last one',
        'polled.get(idOfJob(known))',
        'known === undefined ? undefined : [...polled.values()][0]',
      ],
    ],
  },
  {
    file: 'src/run/hold.ts',
    tests: ['test/run/holds.test.ts'],
    mutants: [
      ['changes a pull request that a person merged or closed', "if (view.state !== 'open') continue", ''],
      ['sets the same status again', 'shown?.state === holdStatuses[now.state]', 'false'],
      ['lifts a hold at an earlier release', 'code.closedAt ?? 0', '0'],
      [
        'looks at the first release only',
        'if (contains.ok && contains.value) return true',
        'return contains.ok && contains.value',
      ],
      ['comments before the status is set', 'head, ports))) return null', 'head, ports))) void 0'],
      ['comments again in each settle', ' || now.state === hold.state', ''],
      ['records a comment that GitHub rejected', 'record, ports))) return did', 'record, ports))) void 0'],
      ['hides that the code changed', '![hold.head, ...given].includes(head)', 'false'],
      ['forgets what a later request gave the agent', '![hold.head, ...given]', '![hold.head]'],
      [
        'lowers the status if the code is unread',
        'if (code === undefined && shown !== undefined) return null',
        '',
      ],
      ['forgets a hold that no list shows', 'threads.push(...own', 'void (own'],
      [
        'shows a guard for other globs',
        'globsToCheck(entry.globs, inputs.allowedPaths) ?? []',
        'entry.globs === null ? [] : inputs.allowedPaths',
      ],
    ],
  },
  {
    file: 'src/request/command.ts',
    tests: ['test/request/command.test.ts', 'test/request/gate.test.ts'],
    mutants: [
      ['lets everyone in', '  if (denied !== undefined) {\n', '  if (denied === null) {\n'],
      ['replies to a denied label', " && request.kind !== 'label')", ')'],
      ['sends a job for help', "if (kind === 'work') return undefined", 'return undefined'],
      [
        'sends a review whose comments it could not read',
        "if (!found.ok) return unread('thread', found.rejection)\n  const rules",
        'if (!found.ok) return null\n  const rules',
      ],
    ],
  },
  {
    file: 'src/run/pull.ts',
    tests: ['test/run/pulls.test.ts', 'test/run/holds.test.ts'],
    mutants: [
      ['writes on any pull request', '!isOpenedFor(read.opened, job.ref, agentLogin)', 'false'],
      ['repeats a notice', 'if (entriesAbout(entry, known).length > 0) return true', ''],
      [
        'introduces a pull request again',
        'known === null || entriesAbout(entry, known).length > 0',
        'known === null',
      ],
      ['asks a bot for a review', "!each.endsWith('[bot]')", 'true'],
      ['shows a hold without a record', 'posted.ok && hold !== null', 'hold !== null'],
    ],
  },
  {
    file: 'src/core/hold.ts',
    tests: ['test/core/hold.test.ts'],
    mutants: [
      ['lowers a lifted hold', "hold.state === 'lifted' || ", ''],
      ['lifts a hold before the release', "(hold.hold === 'merge' || isReleased)", 'true'],
    ],
  },
  {
    file: 'src/core/pull-changes.ts',
    tests: ['test/core/pull-changes.test.ts'],
    mutants: [
      ["trusts a fork's branch", 'branch: isFork ? null : headBranch', 'branch: headBranch'],
      [
        'allows another spelling of an excluded path',
        ' && isSelected(folded(path), excluded.map(folded))',
        '',
      ],
      ['compares different forms of Unicode', ".normalize('NFC')", ''],
      ['allows a symbolic link', 'file.isLink && !globs.includes(file.path)', 'false'],
    ],
  },
  {
    file: 'src/run/check-changes.ts',
    tests: ['test/run/check-changes.test.ts'],
    mutants: [
      ['checks files of another commit', 'after.ok && after.value.headCommit === head', 'after.ok'],
      [
        'allows files whose modes it cannot read',
        'if (!links.ok) return links',
        'if (!links.ok) return { ok: true, value: pullRequestChanges(pull.value, files.value, [], sha256) }',
      ],
      [
        'checks the files of a job that timed out',
        "if (result.outcome !== 'pull-request') return checked",
        '',
      ],
    ],
  },
  {
    file: 'src/request/change.ts',
    tests: ['test/request/change.test.ts'],
    mutants: [
      [
        'takes any of several pull requests with the same last commit',
        'return found.length === 1 ? found[0] : undefined',
        'return found[0]',
      ],
    ],
  },
  {
    file: 'src/request/documented.ts',
    tests: ['test/request/documented.test.ts'],
    mutants: [
      ['documents the same diff twice', 'return isDone ? noChange', 'return false ? noChange'],
      ['skips a change that is documented in part', ' && found.length === pulls.length', ''],
      ['skips commits that no pull request brought', 'isAll &&= merged !== undefined', ''],
      [
        'skips commits that it does not check',
        'let isAll = commits.length < commitLimit',
        'let isAll = true',
      ],
      ['skips an earlier commit of the code', 'code ? code.head === head : ', 'code ? true : '],
      ['counts a failed job', "outcomeOfJob(job) === 'no-changes'", 'true'],
      ['counts a job that is gone', 'if (isGone(read)) return null', ''],
      [
        'counts a docs pull request that was closed',
        ' || pull.value.isOpen || pull.value.isMerged',
        ' || true',
      ],
      [
        'counts a pull request that was merged elsewhere',
        'mergeCommit !== null && all.has(mergeCommit)',
        'mergeCommit !== null',
      ],
      ["skips another step's push", "entry.role !== 'link' || entry.code", 'true'],
      ["uses another project's job", 'ofProject(entries, ports)', '[...entries]'],
      ['looks at a pull request that is still open', 'change.pullHead === change.head || ', ''],
    ],
  },
  {
    file: 'src/request/choose.ts',
    tests: ['test/request/choose.test.ts'],
    mutants: [
      [
        "counts other accounts' pull requests",
        'open.value.filter(({ author }) => isSameLogin(author, agentLogin))',
        'open.value',
      ],
      [
        "counts Mintlify's own pull requests",
        'if (job !== null) own.push',
        'if (job !== undefined) own.push',
      ],
      [
        'allows one more open pull request than the limit',
        'if (own.length < limit)',
        'if (own.length <= limit)',
      ],
      [
        'starts a job if it cannot count',
        "if (!found.ok) return unread('open-pull-requests', found.rejection)",
        'if (!found.ok) return newJob',
      ],
      ['follows a held pull request', '!isHeld', 'isHeld !== undefined'],
      [
        'makes a new job if no job accepts a follow-up',
        'return failed(problems.openLimit(limit, links))',
        'return newJob',
      ],
    ],
  },
  {
    file: 'src/request/since-last.ts',
    tests: ['test/core/since-last.test.ts', 'test/steps/since-last.test.ts'],
    isLong: true,
    mutants: [
      ['starts at a push', " || top.entry.follows !== 'branch'", ''],
      ['starts at a failed job', 'return outcome === undefined ||', 'return outcome ||'],
      [
        'sends nothing if a job cannot be read',
        'if (!read.ok) return !isGone(read)',
        'if (!read?.ok) return false',
      ],
      ['starts a job even if nothing is new', 'if (commits.length === 0)', 'if (false)'],
      ["starts a job for the agent's own changes", 'if (isDone) return', 'if (isDone === null) return'],
    ],
  },
  {
    file: 'src/request/choose.ts',
    tests: ['test/request/choose.test.ts', 'test/run/pulls.test.ts'],
    mutants: [
      [
        'does not wait for an earlier command',
        "if (step.do === 'choose' || clock.now()",
        'if (step !== null || clock.now()',
      ],
      ['waits after a cancel', ' || cancelled.aborted) {', ') {'],
      ['follows a job on another account’s pull request', ' && isSameLogin(openedBy, inputs.agentLogin)', ''],
      [
        'sends a command on a report’s issue to the job of an earlier one',
        "readMark('docs-agent-report', body, '', ports.sign) !== null",
        'body === null',
      ],
    ],
  },
  {
    file: 'src/request/choose.ts',
    tests: ['test/request/choose.test.ts', 'test/request/documented.test.ts'],
    mutants: [
      [
        'sends a failed job a follow-up',
        " && status !== 'completed' && isTerminal(status)",
        " && status === 'unknown'",
      ],
      ['sends a follow-up to a job that is gone', "isJobRejected(read.failure) ? 'gone' : chosen", 'chosen'],
      ['sends a follow-up to a merged pull request', 'if (isOpen) return', 'if (pull) return'],
    ],
  },
]
