/** The mutants of `npm run mutants`: what the tests must notice. */

/** The mistake, the text to replace (exactly once in the file), and the replacement. */
export type Mutant = readonly [does: string, text: string, replacement: string]

export interface MutantGroup {
  /** Relative to the project. */
  file: string
  /** The tests that must notice: paths, or parts of them. */
  tests: readonly string[]
  /** Whether the group only runs with `--all`. */
  isLong?: boolean
  mutants: readonly Mutant[]
}

export const mutantGroups: readonly MutantGroup[] = [
  {
    file: 'src/core/job/retry.ts',
    tests: ['test/core/job/retry.test.ts'],
    mutants: [
      [
        'repeats a send that got no response',
        "return failure.kind === 'unreachable' && failure",
        "return failure.kind === 'no-answer' || failure",
      ],
      ['sends without end', 'if (attempt >= sendAttempts) return false\n', ''],
      ['sends six times', 'sendAttempts = 5', 'sendAttempts = 6'],
      ['repeats a send that was rejected', 'return failure.status === 429', 'return true'],
      ['does not repeat a send after a 429', 'return failure.status === 429', 'return false'],
      [
        'repeats a send to a server with a wrong certificate',
        "failure.kind === 'unreachable' && failure.reason !== 'certificate'",
        "failure.kind === 'unreachable'",
      ],
      [
        'treats a send as a read',
        'if (isSend(operation)) return isSafeToSendAgain(question)',
        'if (isSend(operation)) return isWorthReadingAgain(question)',
      ],
      ['waits out a spent analytics limit', 'if (isSpent || attempt', 'if (attempt'],
      ['gives up on a 429 that names a time', ' && askedFor(question) === undefined\n', '\n'],
      ['reads visitors four times', 'visitorsAttempts = 5', 'visitorsAttempts = 4'],
      ['reads a list as often as visitors', 'listAttempts = 2', 'listAttempts = 5'],
      [
        'reads an odd list again',
        "if (operation !== 'visitors' && failure.kind === 'unreadable') return false",
        '',
      ],
      [
        'follows a redirect by trying again',
        "case 'redirected':\n      return false",
        "case 'redirected':\n      return true",
      ],
      ['gives up on a 408', '[408, 425, 429]', '[425, 429]'],
      ['gives up on a 425', '[408, 425, 429]', '[408, 429]'],
      [
        'waits for a job whose id may be wrong',
        ' && missingFor !== undefined && missingFor < missingGrace',
        '',
      ],
      ['waits for a deleted job without end', ' && missingFor < missingGrace', ''],
      ['gives up at once on a job that lags', 'missingGrace = 60_000', 'missingGrace = 0'],
      [
        'does not honor Retry-After',
        'Math.max(backOff(question), askedFor(question) ?? 0)',
        'backOff(question)',
      ],
      [
        'ignores the back-off',
        'Math.max(backOff(question), askedFor(question) ?? 0)',
        'askedFor(question) ?? backOff(question)',
      ],
      ['does not double its waits', 'firstWait * 2 ** (attempt - 1)', 'firstWait'],
      [
        'waits longer without end',
        'Math.min(maxWait, firstWait * 2 ** (attempt - 1))',
        'firstWait * 2 ** (attempt - 1)',
      ],
      ['retries in step with other runs', 'wait / 2 + (wait / 2) * random', 'wait'],
      ['reads Retry-After as milliseconds', 'Number(text) * 1000', 'Number(text)'],
      ['takes anything as a date', 'const date = /^[A-Z][a-z]{2,8},? /.test(text)', 'const date = true'],
      ["reads a date in the machine's zone", "text.endsWith('GMT')", 'true'],
    ],
  },
  {
    file: 'src/usecases/gate.ts',
    tests: ['test/usecases/gate.test.ts'],
    mutants: [
      [
        'lets in whose role could not be read',
        'if (!role.ok) return failed',
        'if (!role.ok) continue\n    if (!role.ok) return failed',
      ],
      [
        'lets in an account without a role',
        'if (role.value === null || !meetsRole',
        'if (role.value !== null && !meetsRole',
      ],
      ['lets in any role', ' || !meetsRole(role.value, requiredPermission)', ''],
      ['lets in any bot', 'if (!isAllowedBot(login, allowedBots)) return denied', ''],
      ['asks the role of a listed bot', 'return denied\n      continue', 'return denied'],
      [
        'checks only the first account',
        '    if (refusal !== undefined) return',
        '    return undefined\n    if (refusal !== undefined) return',
      ],
      [
        'trusts a login that another account took',
        'if (answered === id) return undefined',
        'return undefined',
      ],
      [
        'trusts a response about nobody',
        'if (answered === id) return',
        'if (answered === null || answered === id) return',
      ],
      ['does not check who re-ran', '...(isRerun ? [triggeringActor] : [])', ''],
      ['does not check who sent the event', '[actor, ...(isRerun', '[...(isRerun'],
      [
        'checks the same account twice',
        'if (!all.some((known) => isSame(known, account))) all.push(account)',
        'all.push(account)',
      ],
      [
        'takes two accounts of one name for one',
        'one.id === null || other.id === null || one.id === other.id',
        'true',
      ],
      [
        'takes one account in another spelling for two',
        'one.login.toLowerCase() === other.login.toLowerCase()',
        'one.login === other.login',
      ],
      ['passes a denied person as an error', 'const denied = skipped(', 'const denied = failed('],
      [
        'does not say that a bot was denied',
        'required: requiredPermission, isBot }',
        'required: requiredPermission, isBot: false }',
      ],
    ],
  },
  {
    file: 'src/core/trigger/permission.ts',
    tests: ['test/usecases/gate.test.ts', 'test/core/trigger'],
    mutants: [
      ['needs more than the required role', '>= ranks.indexOf(required)', '> ranks.indexOf(required)'],
      [
        'lets the name of a custom role decide',
        "(permission === 'write' && roleName === 'maintain') || (permission === 'read' && roleName === 'triage')",
        'ranks.includes(roleName)',
      ],
      [
        'takes a reader for a triager',
        "(permission === 'read' && roleName === 'triage')",
        "permission === 'read'",
      ],
      ['takes maintainers for writers', "(permission === 'write' && roleName === 'maintain') || ", ''],
      ['takes triagers for readers', " || (permission === 'read' && roleName === 'triage')", ''],
      ['ranks read above write', "['none', 'read', ...roles]", "['none', ...roles, 'read']"],
      ['compares bots by case', 'allowed.toLowerCase() === login.toLowerCase()', 'allowed === login'],
      [
        'lists bots by a part of their name',
        'allowed.toLowerCase() === login.toLowerCase()',
        'login.toLowerCase().includes(allowed.toLowerCase())',
      ],
    ],
  },
  {
    file: 'src/core/redact.ts',
    tests: ['test/core/redact.test.ts'],
    mutants: [
      ['blackens ordinary words', 'minLength = 8', 'minLength = 7'],
      ['leaves a key of eight characters', 'minLength = 8', 'minLength = 9'],
      ['leaves the key as it is', '    secret,\n', ''],
      ['leaves a URL-encoded key', '    url,\n', ''],
      ['leaves a key encoded in lower case', '(code) => code.toLowerCase()', '(code) => code'],
      ['leaves a key in JSON', '    json,\n', ''],
      ['leaves a key in JSON in JSON', '    inJson(json),\n', ''],
      ['leaves a key in HTML', 'entities[character] ?? ', ''],
      ['leaves a key in hexadecimal', "['', '%', '\\\\u00']", "['%', '\\\\u00']"],
      ['leaves a key of percent signs', "['', '%', '\\\\u00']", "['', '\\\\u00']"],
      ['leaves a key of JSON escapes', "['', '%', '\\\\u00']", "['', '%']"],
      ['leaves a key in upper-case hexadecimal', 'code.toUpperCase()', 'code'],
      ['finds base64 in one place of three only', '[0, 1, 2].map', '[0].map'],
      ['finds base64 in two places of three only', '[0, 1, 2].map', '[0, 1].map'],
      ['leaves base64 for URLs', '[core, forUrls(core)]', '[core]'],
      ['looks for what is around the key, too', '.slice(shift === 0 ? 0 : 4, whole)', ''],
      [
        'leaves the end of a longer key',
        '.sort((one, other) => other.length - one.length)',
        '.sort((one, other) => one.length - other.length)',
      ],
      ['replaces a key once', 'rest.replaceAll(form, replacement)', 'rest.replace(form, replacement)'],
      [
        'sends a prompt with an encoded key',
        'some((form) => text.includes(form))',
        'slice(0, 1).some((form) => text.includes(form))',
      ],
    ],
  },
  {
    file: 'src/core/job/schedule.ts',
    tests: ['test/core/job/schedule.test.ts'],
    mutants: [
      ['reads at once', 'firstRead = 15_000', 'firstRead = 0'],
      ['waits again after a late start', 'firstRead - age', 'firstRead'],
      ['reads each second', 'minInterval = 5_000', 'minInterval = 1_000'],
      ['reads as often as at the start', 'Math.max(minInterval, age * shareOfAge)', 'minInterval'],
      ['reads an old job too seldom', 'shareOfAge = 1 / 100', 'shareOfAge = 1 / 10'],
      ['reads in step with other runs', 'jitter = 0.1', 'jitter = 0'],
      ['only waits longer', '(1 - jitter + 2 * jitter * random)', '(1 + jitter * random)'],
      ['ignores poll-interval', "if (interval !== 'auto') return interval", ''],
      ['waits less than no time', 'Math.max(0, Math.round(', 'Math.max(-60_000, Math.round('],
    ],
  },
  {
    file: 'src/usecases/wait.ts',
    tests: ['test/usecases/wait.test.ts', 'test/usecases/agent.test.ts'],
    mutants: [
      ['sleeps past the deadline', 'Math.min(nextRead, end)', 'nextRead'],
      [
        'reads on after a cancel',
        "if (cancelled.aborted) return watch.end('cancelled')\n    const reply",
        'const reply',
      ],
      [
        'takes what a cancel interrupted for the end',
        "    if (cancelled.aborted) return watch.end('cancelled')\n    const outcome",
        '    const outcome',
      ],
      [
        'reads once more after the deadline for nothing',
        'if (end > deadline || !watch.needsSecondLook)',
        'if (end > deadline)',
      ],
      ['reads on after the deadline without end of links', 'end > deadline || !watch', '!watch'],
      [
        'takes no link at the first look',
        'this.needsSecondLook = outcome',
        'this.needsSecondLook = false && outcome',
      ],
      ['never takes a job without a link as ended', ' && !this.needsSecondLook\n', '\n'],
      [
        'waits before it reads a job that it resumes',
        'if (this.reads === 0 && !created && before === null) return 0',
        '',
      ],
      ['waits long for a late link', 'Math.min(wait, linkGrace)', 'wait'],
      ['does not wait as Retry-After says', 'if (this.retryIn !== undefined) return this.retryIn\n', ''],
      [
        'waits as long after it read well again',
        '    this.retryIn = undefined\n    this.missingSince',
        '    this.missingSince',
      ],
      ['forgets when a job went missing', '??= now', '= now'],
      [
        'adds up absences of a job',
        '    this.missingSince = undefined\n    this.reads++',
        '    this.reads++',
      ],
      ['waits for a job that never was', 'const hasVanished = this.job !== null && ', 'const hasVanished = '],
      [
        'gives up a job after a read failed',
        "if (this.retryIn === undefined) return 'error'",
        "return 'error'",
      ],
      ['reports each failed read', 'this.failures === 1 && now - this.saidFailingAt >= quiet', 'true'],
      ['reports an outage again and again', ' && now - this.saidFailingAt >= quiet', ''],
      ['warns of an unknown status at each read', '      this.warned = true\n', ''],
      [
        'says the same status at each read',
        'status !== null && status !== this.job?.status',
        'status !== null',
      ],
      ['takes the earlier end for the new one', 'this.settled = wait.before === null', 'this.settled = true'],
      ['waits for a change without end', 'moved || age >= settling', 'moved'],
      ['takes the earlier end soon', 'settling = 180_000', 'settling = 18_000'],
      ['does not notice a new link', ' || job.prLink !== before.prLink', ''],
      ['does not notice a new archive date', ' || job.archivedAt !== before.archivedAt', ''],
      ['takes a reply without a status for a change', 'if (job.status === null) return false\n', ''],
      [
        'does not say that nothing changed',
        "if (this.settled && !moved) this.onProgress({ type: 'unchanged', job, age })",
        '',
      ],
      [
        'ends without changes at the deadline',
        " || outcome === 'no-changes' ? 'timed-out'",
        " ? 'timed-out'",
      ],
      [
        'times out on a job that it never saw',
        "if (this.job === null) return 'error'",
        "if (this.job === null) return 'timed-out'",
      ],
      [
        'takes the earlier end at the deadline',
        'this.settled ? outcomeOfJob(this.job) : undefined',
        'outcomeOfJob(this.job)',
      ],
    ],
  },
  {
    file: 'src/usecases/call.ts',
    tests: ['test/usecases/call.test.ts', 'test/usecases/wait.test.ts', 'test/usecases/agent.test.ts'],
    mutants: [
      [
        'gives a send no more time than a read',
        '{ total: sendTimeout, onceCancelled',
        '{ total: readTimeout, onceCancelled',
      ],
      ['ends a send at the cancel', 'onceCancelled: sendTimeoutOnceCancelled', 'onceCancelled: 0'],
      [
        'waits for a read after the cancel',
        ': { total: readTimeout, onceCancelled: 0 }',
        ': { total: readTimeout, onceCancelled: 5_000 }',
      ],
      [
        'lets a request take long after the deadline',
        'Math.min(timeout.total, left + graceAtDeadline)',
        'timeout.total',
      ],
      ['gives a late request no time', 'left + graceAtDeadline', 'left'],
      ['retries after a cancel', 'if (reply.ok || cancelled.aborted) return', 'if (reply.ok) return'],
      ['retries after the deadline', ' || now + wait > deadline', ''],
      ['retries although it may not', ' || !(await mayRepeat())', ''],
      ['does not wait for leave to retry', '!(await mayRepeat())', '!mayRepeat()'],
      ['retries after a cancel in its sleep', 'if (cancelled.aborted || !(await', 'if (!(await'],
      ['counts no attempts', 'for (let attempt = 1; ; attempt++)', 'for (let attempt = 1; ; )'],
      ['does not say that it retries', 'if (isSend(operation.name) || attempt === 1)', 'if (false)'],
      ['is silent while it waits', 'this.next = now + heartbeat\n    return true', 'return false'],
    ],
  },
  {
    file: 'src/core/inputs/inputs.ts',
    tests: ['test/core/inputs'],
    mutants: [
      ['takes a prompt and a file', "isBroken: has('prompt') && has('prompt-file')", 'isBroken: false'],
      ['runs without a prompt', "isBroken: !hasPrompt && !has('job-id') && !isCommand", 'isBroken: false'],
      ['needs a prompt beside a comment', ' && !isCommand,\n', ',\n'],
      ['checks no role', "isCommand || has('label'),", 'false,'],
      ['checks no role for a label', "isCommand || has('label'),", 'isCommand,'],
      ['reads diffs without a token', "hasDiff || has('open-limit')", 'false'],
      ['filters a diff that is not there', "isBroken: has('context-paths') && !hasDiff", 'isBroken: false'],
      ['adds files to no prompt', "isBroken: has('context-files') && isResume", 'isBroken: false'],
      [
        'resumes without waiting',
        "isBroken: isResume && readBoolean(raw.wait ?? '') === false",
        'isBroken: false',
      ],
      ['settles without a token', 'needsToken(raw, true,', 'needsToken(raw, false,'],
      ["shows another input's key", 'redact(value)', 'value'],
      ['shows any key', ".replace(/mint_[\\w-]{8,}/g, 'mint_***')", ''],
      [
        'takes the inputs of another mode',
        'const isGiven = value !== ',
        'const isGiven = false && value !== ',
      ],
      [
        "takes a default for another mode's input",
        '&& owners.some((each) => defaultOf(each, input) !== value)',
        '',
      ],
      ['drops the faults beside a malformed input', ', ...contradictions(rules)]', ']'],
    ],
  },
  {
    file: 'src/core/inputs/field.ts',
    tests: ['test/core/inputs', 'test/visitors/core/inputs.test.ts'],
    mutants: [
      [
        'sends the key by plain http',
        " || (url.protocol === 'http:' && isLoopback(url.hostname))",
        " || url.protocol === 'http:'",
      ],
      [
        'takes a base-url with a password',
        "url.username !== '' || url.password !== '' || /[?#]/.test(value)) return undefined\n  const safe",
        '/[?#]/.test(value)) return undefined\n  const safe',
      ],
      ['takes localhost.example for this machine', '/^(.+\\.)?localhost\\.?$/', '/^(.+\\.)?localhost\\.?/'],
      ['takes an assistant key', '!/^mint_(dsc|us)_/.test(key)', '!/^mint_us_/.test(key)'],
      ['takes a key of seven characters', 'minKeyLength = 8', 'minKeyLength = 7'],
      ['takes yes for true', '/^(true|True|TRUE)$/', '/^(true|True|TRUE|yes)$/'],
      ['takes globs that leave the folder', '/^!?\\.\\.$/.test(part)', '/^$/.test(part)'],
      ['takes absolute globs', '/^!?([/\\\\]|[A-Za-z]:)/.test(glob)', 'false'],
      ['takes globs that never end', 'escapes(glob) || isUnusable(glob)', 'escapes(glob)'],
      ['takes unknown words', 'new Set(given).size === known.length', 'known.length > 0'],
      ['takes a list of nothing', 'given.length > 0 && ', ''],
      ['takes a duration over the limit', ' && duration <= most', ''],
      ['takes a number over the limit', 'number >= least && number <= most', 'number >= least'],
      ['takes a drop of no percent', 'percent > 0 && ', ''],
      ['takes a link to run code for a site', '/^https?:$/.test(url.protocol)', 'true'],
    ],
  },
  {
    file: 'src/core/outcome.ts',
    tests: ['test/core/outcome.test.ts', 'test/core/inputs/inputs.test.ts'],
    mutants: [
      [
        'ends green unconfirmed',
        "unconfirmed: { modes: ['agent'], isGood: false, job: 'none', fails: 'always' }",
        "unconfirmed: { modes: ['agent'], isGood: false, job: 'none', fails: 'never' }",
      ],
      [
        'ends green after a foreign signal',
        "isGood: false, job: 'active', fails: 'always' }",
        "isGood: false, job: 'active', fails: 'never' }",
      ],
      [
        'ends red after an archive',
        "archived: { modes: ['agent'], isGood: false, job: 'ended', fails: 'if-named' }",
        "archived: { modes: ['agent'], isGood: false, job: 'ended', fails: 'by-default' }",
      ],
      [
        'ends green after a failed job',
        "failed: { modes: ['agent'], isGood: false, job: 'ended', fails: 'by-default' }",
        "failed: { modes: ['agent'], isGood: false, job: 'ended', fails: 'if-named' }",
      ],
      [
        'takes a detached job as the result',
        "detached: { modes: ['agent'], isGood: true, job: 'active'",
        "detached: { modes: ['agent'], isGood: true, job: 'ended'",
      ],
      ['gives up a job after an error', "['active', 'lost'].includes", "['active'].includes"],
      [
        'takes an error for no result',
        "isUnfinished = (outcome: Outcome): boolean => meaningOf(outcome).job === 'active'",
        'isUnfinished = mayContinue',
      ],
      [
        'ignores fail-on',
        "meaningOf(outcome).fails === 'always' || isInFailOn(outcome, failOn)",
        "meaningOf(outcome).fails === 'always'",
      ],
    ],
  },
  {
    file: 'src/core/record.ts',
    tests: ['test/core/record.test.ts'],
    mutants: [
      [
        'sends an open request again',
        "return { do: 'give-up', why: 'unfinished-run' }\n    case 'job':",
        "return { do: 'send' }\n    case 'job':",
      ],
      ['sends a reported request again', "hasNoResult(record) ? { do: 'send' }", "true ? { do: 'send' }"],
      ['repeats a failed job', "hasNoResult(record) ? { do: 'send' }", "false ? { do: 'send' }"],
      [
        'sends although another key signed the record',
        "return { do: 'give-up', why: 'key-changed' }",
        "return { do: 'send' }",
      ],
      [
        'takes an archived job with a pull request for fruitless',
        "outcome === 'archived' && prLink === null",
        "outcome === 'archived'",
      ],
      [
        'settles a request while its run is at work',
        '!record.isLeft && now <= record.until + minimumAge',
        'false',
      ],
      ['waits for a run that has left', '!record.isLeft && now', 'now'],
      ['settles a job that was created just now', 'now - record.since < minimumAge && !isOpened', 'false'],
      [
        'gives an open comment up at its deadline',
        'record.until + minimumAge\n      return',
        'record.until\n      return',
      ],
      [
        'gives an open status up with its run',
        "seen.place === 'status' ? record.since + openStatus : record.until + minimumAge",
        'record.until + minimumAge',
      ],
      ['leaves a job that is gone', "if (job.kind === 'gone') return { do: 'report', outcome: 'error' }", ''],
      ['misses a link that comes late', 'linkOf(seen.job) !== null', 'false'],
      [
        'reads a finished job for ever',
        'age < lateLink ? record.job : null',
        'age < Infinity ? record.job : null',
      ],
    ],
  },
  {
    file: 'src/usecases/carry-out.ts',
    tests: ['test/usecases/agent.test.ts', 'test/usecases/command.test.ts'],
    mutants: [
      [
        'does not await the record',
        'const opened = await store.open(choice)',
        'const opened = { ok: true as const, permit: undefined as never }\n  void store.open(choice)',
      ],
      [
        'ends the record before the outputs',
        '  ports.host.output(timed)\n',
        '  await plan.store.end(timed)\n  ports.host.output(timed)\n',
      ],
      [
        'reports before the log, the summary, and the exit code',
        '  await ports.host.finish(reviewed)\n  await ports.host.lastly(',
        '  await ports.host.lastly(',
      ],
      [
        'edits a reported result',
        "if (found.do === 'repeat') return repeat(found.ended, ports)",
        "if (found.do === 'repeat') {\n    const again = await repeat(found.ended, ports)\n    await plan.store.end(again)\n    return again\n  }",
      ],
      [
        'sends although nothing could be saved',
        'if (host.sending(operation, jobId)) return opened',
        'host.sending(operation, jobId)\n  return opened',
      ],
      [
        'follows a job before it is recorded',
        '  let isRecorded = await store.job(jobId)\n',
        '  let isRecorded = true\n',
      ],
      ['leaves the pull request out', '    await plan.announce(reviewed)\n', ''],
      ['does not end the record', '    await plan.store.end(reviewed)\n', ''],
    ],
  },
  {
    file: 'src/core/mark.ts',
    tests: ['test/core/mark.test.ts'],
    mutants: [
      [
        'believes a mark that another key signed',
        'const signed = own.filter(({ isSigned }) => isSigned)',
        'const signed = own',
      ],
      [
        'believes a mark that is not bound',
        'const bound = signed.filter(({ isBound }) => isBound)',
        'const bound = signed',
      ],
      ['accepts a mark of another comment', 'if (mark.at !== 0 && mark.at !== id) return null', ''],
    ],
  },
  {
    file: 'src/core/status.ts',
    tests: ['test/core/status.test.ts'],
    mutants: [
      [
        'believes any signature',
        'const isSigned = signature === signatureOf(signed, place, targetUrl, sign)',
        'const isSigned = true',
      ],
      [
        'signs no commit',
        "['status', repository.toLowerCase(), commit, context,",
        "['status', repository.toLowerCase(), '', context,",
      ],
      ['signs no target', 'context, project, targetUrl, tail]', 'context, project, tail]'],
    ],
  },
  {
    file: 'src/usecases/commit-store.ts',
    tests: ['test/usecases/event.test.ts'],
    mutants: [
      ['forgets what an earlier look showed', "if (known.kind !== 'none') seen = known", 'seen = known'],
      ['hides what it could not read', 'if (isKept && !hasRead && !isFirst) return false\n', ''],
      [
        'reports in one context only',
        'for (const context of contexts)',
        'for (const context of contexts.slice(0, 1))',
      ],
      ["believes another account's statuses", 'status.creator === viewer.value && ', ''],
      ['takes a cut list for the whole', 'if (statuses.value.isCut)', 'if (statuses.value.isCut === null)'],
      [
        'sends after a push without a record',
        "if (!isOptional)\n        return { ok: false, problem: { type: 'mark-unwritten'",
        "if (isOptional)\n        return { ok: false, problem: { type: 'mark-unwritten'",
      ],
      [
        'sends after a push whose statuses were not read',
        "if (!isOptional) return unread('statuses'",
        "if (isOptional) return unread('statuses'",
      ],
      ['opens over the record of another run', 'if (!hasRead) await look()\n', ''],
      ['ends over the record of another run', 'await look()\n      const link', 'const link'],
      [
        'restarts the clock of an open record',
        "if (seen.kind === 'record' && isOpenRecord(seen.record)) since = seen.record.since",
        '',
      ],
      ['drops a record that may have arrived', ' || done.refusal.isUncertain === true', ''],
      ['drops the record of an earlier run', "isBegun = seen.kind === 'record'", 'isBegun = false'],
      ['marks a commit that is skipped', "(result.outcome === 'skipped' && !isOpened)", 'false'],
      ['shows an unfinished request as ended', "isOpenRecord(state) ? 'pending' : ended", 'ended'],
    ],
  },
  {
    file: 'src/usecases/comments.ts',
    tests: ['test/usecases/comments.test.ts', 'test/usecases/command.test.ts'],
    mutants: [
      [
        "believes another account's comments",
        'filter(({ author }) => author === viewer.value) }',
        'filter(() => true) }',
      ],
      ['takes a cut thread for the whole', 'if (comments.value.isCut)', 'if (comments.value.isCut === null)'],
      [
        "believes another account's recent comments",
        'const own = all.filter(({ author }) => author === viewer.value)',
        'const own = all',
      ],
      ["uses another project's marks", ' && found.mark.project === projectName(projectId)', ''],
      ['uses unbound recent marks', 'found?.isSigned && found.isBound && found', 'found?.isSigned && found'],
      [
        'does not bind a mark',
        'const bound = await editFresh(thread, posted.value, marked, ports)',
        'const bound = { ok: true } as const',
      ],
      [
        'posts again after any rejected edit',
        'return isMissing(edited) ? postMarked',
        'return edited ? postMarked',
      ],
      [
        'never replaces a deleted comment',
        'return isMissing(edited) ? postMarked',
        'return null ? postMarked',
      ],
      ['gives up on a comment that GitHub does not show yet', 'if (!isMissing(edited)) break', 'break'],
      [
        'posts again without a look',
        'if (posted.ok || posted.refusal.isUncertain !== true) return posted',
        'if (posted.ok) return posted\n  if (posted.refusal.isUncertain) return ports.github.reply(thread, body)',
      ],
      [
        'never posts again',
        'return found.value === null ? ports.github.reply(thread, body)',
        'return found.value === null ? posted',
      ],
      ['keeps the later comment', 'Math.min(own, ...same', 'Math.max(own, ...same'],
      [
        'keeps both comments',
        "if (first !== own) await orWarn('delete'",
        "if (first === 0) await orWarn('delete'",
      ],
      ['treats an uncertain 404 as certain', ' && reply.refusal.isUncertain !== true', ''],
      ['reacts to a review', "if (asked?.kind === 'review') return\n", ''],
    ],
  },
  {
    file: 'src/usecases/thread-store.ts',
    tests: ['test/usecases/command.test.ts', 'test/usecases/settle.test.ts'],
    mutants: [
      [
        'looks before it posts',
        'if (this.isFirst && this.working === null) {',
        'if (!this.isFirst && this.working === null) {',
      ],
      [
        'counts its own comment as an earlier one',
        'this.marks.filter(({ comment }) => comment !== this.posted)',
        'this.marks',
      ],
      [
        'leaves what a reported result replaces',
        "if (known.kind === 'record' && known.record.state === 'ended') await this.tidy()",
        '',
      ],
      [
        'keeps two working comments',
        'if (this.posted !== null && !isNeeded)',
        'if (this.posted === null && !isNeeded)',
      ],
      ['restarts the clock of an open record', 'this.since = known.record.since', ''],
      [
        'tries to record a request once',
        "const put = first.ok ? first : await this.put({ state: 'open' })",
        'const put = first',
      ],
      [
        'contradicts a thread that it could not read',
        'if (!this.isFirst && !this.hasLooked) return false',
        '',
      ],
      ['reports a result that is reported already', 'if (await this.isReportedElsewhere()) return true', ''],
      ['deletes the record before the result names the job', 'if (id === undefined) return false', ''],
      [
        'reports nothing if the thread is locked for new comments',
        'return this.working !== null && this.edit(pending)',
        'return false',
      ],
      [
        'leaves the working comment',
        'if (working !== null && working !== result) this.leftovers.spare.push(working)',
        '',
      ],
      [
        'posts a second result',
        'const first = this.isFirst ? posted : await this.keepFirst(posted, pending)',
        'const first = posted',
      ],
      [
        'deletes marks that another account could have copied',
        'for (const { nodeId } of outdated)',
        'for (const { nodeId } of [])',
      ],
      [
        'forgets a comment whose response was lost',
        '    // Saved first, because the post step must know about a comment that may exist.\n    this.save(null)\n',
        '',
      ],
    ],
  },
  {
    file: 'src/usecases/open-requests.ts',
    tests: ['test/usecases/settle', 'test/usecases/holds.test.ts'],
    mutants: [
      ["settles another account's comments", '({ author }) => author === viewer.value,', '() => true,'],
      ["settles another account's statuses", 'creator === viewer.value && isOwnContext', 'isOwnContext'],
      [
        "settles another project's requests",
        "found.mark.role === 'reply' && found.mark.project === project",
        "found.mark.role === 'reply'",
      ],
      [
        'hides that a list was cut',
        'issues.value.isCut || reviews.value.isCut || statuses.value.isCut',
        'false',
      ],
      ['settles an unsigned status', 'if (!mark?.isSigned) return false', 'if (mark === null) return false'],
      ['never looks for a late link on commits', " || mark.record.outcome === 'no-changes'", ''],
      ['forgets leftovers', 'return hasLeftovers || isOpenRecord', 'return isOpenRecord'],
      [
        'ignores a step that was killed before its mark was bound',
        "known.kind === 'record' ? known.record : unsent(mark)",
        "known.kind === 'record' ? known.record : { ...unsent(mark), state: 'not-sent' as const }",
      ],
      ['turns a failed status green', 'failOn: new Set', 'failOn: new Set<Failable>() ?? new Set'],
    ],
  },
  {
    file: 'src/usecases/settle.ts',
    tests: ['test/usecases/settle', 'test/usecases/holds.test.ts'],
    mutants: [
      ['settles after a cancel', 'if (ports.cancelled.aborted) return jobs\n', ''],
      [
        'settles with a rejected key',
        'read) => !read.ok && isKeyRejected(read.failure)',
        'read) => !read.ok && false',
      ],
      [
        'writes in a dry run',
        'settings.scope.isDryRun ? readOnly(given.github) : given.github',
        'given.github',
      ],
      ['reports a record that another settle has just ended', 'if (again.do !== step.do) return []', ''],
      [
        'reports a record that it cannot read again',
        "if (known.kind === 'ended') return [row(request, 'unreported', result)]",
        '',
      ],
      [
        'ends the record before it shows the result on the pull request',
        '  await request.announce(reviewed)\n  const isReported = await request.end(reviewed)\n',
        '  const isReported = await request.end(reviewed)\n  await request.announce(reviewed)\n',
      ],
      ['says that a rejected report arrived', "isReported ? 'settled' : 'unreported'", "'settled'"],
      [
        'closes docs whose other requests are no longer listed',
        'if (comment.createdAt < ports.clock.date() - lookBack) return true',
        '',
      ],
      [
        'closes docs although a list was cut',
        'if (!found.ok || found.value.isCut) return true',
        'if (!found.ok) return true',
      ],
      [
        'closes docs if it could not look for others',
        'if (!found.ok || found.value.isCut) return true',
        'if (!found.ok) return false\n  if (found.value.isCut) return true',
      ],
      [
        'settles every request when a pull request opens',
        'const isMeant = !isOpened || ',
        'const isMeant = true || ',
      ],
      [
        'takes over requests of other repositories',
        "({ link }) => link.kind === 'thread' && isFinal(link.request),",
        '() => true,',
      ],
    ],
  },
  {
    file: 'src/usecases/pull-life.ts',
    tests: ['test/usecases/settle-doubt.test.ts', 'test/usecases/holds.test.ts'],
    mutants: [
      [
        'changes a pull request that a person merged or closed',
        "if (view?.state !== 'open') continue",
        'if (view === undefined) continue',
      ],
      [
        "believes another account's hold",
        'creator === this.around.viewer &&\n        hold !== null',
        'hold !== null',
      ],
      ['does not renew a hold on a new commit', 'commit === head &&\n', ''],
      [
        'asks for each release again',
        'if (newest !== undefined) await this.keepCode',
        'if (newest === null) await this.keepCode',
      ],
      ['lifts a hold at an earlier release', 'publishedAt >= (closedAt ?? 0)', 'publishedAt >= 0'],
      [
        'lifts a hold whose release it cannot read',
        'if (!contains.ok) return false',
        'if (!contains.ok) return true',
      ],
      ['closes work of other people', 'authors.value.every(', 'authors.value.some('],
      ['closes docs that document more', '&& !(await this.around.isElsewhere(this.pull, hold))', ''],
      [
        'closes docs and says nothing',
        'ports.words.abandoned(hold, isClosing)))) return null',
        'ports.words.abandoned(hold, isClosing)))) void 0',
      ],
      ['edits a notice that is already there', 'if (own?.isBound) return true', ''],
      ['reports a conflict again and again', 'await this.keep({ isInConflict: true })', ''],
      ['sends the final diff again', 'await this.keepCode({ head }, { since: this.ports.clock.date() })', ''],
      [
        'shows a guard for other globs',
        'if (globs !== globsName(pullSettings.allowedPaths)) return false',
        '',
      ],
      [
        'does not wait until GitHub knows about conflicts',
        'if (unknown.length > 0) {',
        'if (unknown.length < 0) {',
      ],
    ],
  },
  {
    file: 'src/usecases/command.ts',
    tests: ['test/usecases/command', 'test/usecases/suggestion.test.ts', 'test/usecases/gate.test.ts'],
    mutants: [
      ['lets everyone in', '  if (denied !== undefined) {\n', '  if (denied === null) {\n'],
      [
        'replies to a dry run',
        'const mayWrite = policy.replies && !isDryRun',
        'const mayWrite = policy.replies',
      ],
      [
        'repeats a request without a record',
        'if (!mayWrite && isRerun && !isDryRun)',
        'if (!mayWrite && isRerun && isDryRun)',
      ],
      ['replies to a denied label', " && request.kind !== 'label')", ')'],
      ['sends a job for help', "if (kind === 'work') return undefined", 'return undefined'],
      [
        'sends a review whose comments it could not read',
        "if (!read.ok) return unread('thread', read.refusal)\n    const rules",
        'if (!read.ok) return { prompt, context: thing }\n    const rules',
      ],
      [
        'denies the same person twice on a thread',
        'if (isKnown !== false) return',
        'if (isKnown === undefined) return',
      ],
      [
        "hides other steps' comments",
        'mark.step === step && mark.request !== ref.request',
        'mark.request !== ref.request',
      ],
      [
        'deletes the record of an open request',
        'for (const comment of isReplaced ? spare : [])',
        'for (const comment of spare)',
      ],
    ],
  },
  {
    file: 'src/usecases/documented.ts',
    tests: ['test/usecases/documented.test.ts'],
    mutants: [
      ['sends held code twice', 'if (isHeld) return noChange', 'if (isHeld === null) return noChange'],
      ['documents the same diff twice', 'const isSame = sent === final', 'const isSame = false'],
      ['sends a failed job a follow-up', "if (!takes.takes) return { kind: 'new', note: null }", ''],
      [
        'trusts a number in a commit message',
        'if (isMerged && isHere) found.push',
        'if (isMerged) found.push',
      ],
      [
        'chooses one of several pull requests',
        'if (waiting.length === 1 && waiting[0]',
        'if (waiting.length >= 1 && waiting[0]',
      ],
      ["uses another project's job", ' && found.mark.project === project', ''],
      [
        'starts a second job while the first is active',
        'if (pull === null && !takes.isActive)',
        'if (pull === null)',
      ],
      ['looks at a pull request that is still open', 'if (!isMerged || change.noFiles', 'if (change.noFiles'],
    ],
  },
  {
    file: 'src/usecases/rolling.ts',
    tests: ['test/usecases/rolling.test.ts'],
    mutants: [
      [
        "counts other accounts' pull requests",
        'open.value.filter(isAuthoredBy(scope.agentLogin))',
        'open.value',
      ],
      [
        "counts Mintlify's own pull requests",
        'if (job.value === null) others.push(pull.url)',
        'if (job.value === undefined) others.push(pull.url)',
      ],
      ['allows one more', 'if (own.length < limit)', 'if (own.length <= limit)'],
      [
        'starts a job if it cannot count',
        "if (!job.ok) return unread('open-pull-requests', job.refusal)",
        'if (!job.ok) return newJob',
      ],
      [
        'ends green if no job takes a follow-up',
        'return failed({ ...full, jobless: true })',
        'return skipped({ ...full, jobless: true })',
      ],
      ["believes another account's status", 'creator !== viewer.value || ', ''],
      ['believes an unsigned status', 'if (!mark?.isSigned) return []', 'if (mark === null) return []'],
    ],
  },
  {
    file: 'src/usecases/since-last.ts',
    tests: ['test/usecases/since-last', 'test/core/since-last.test.ts', 'test/steps/since-last.test.ts'],
    isLong: true,
    mutants: [
      ['starts at its own commit', ' && run !== ref.run)', ')'],
      ['starts at a push', " && follows === 'branch'", ''],
      ['starts at an unsigned status', 'isSigned && follows', 'follows'],
      ['starts at a failed job', '!(await hasFailedSince(known.record, job, scope, ports))', 'true'],
      [
        'sends nothing if a job cannot be read',
        'if (!read.ok) return isMissing(read.failure)',
        'if (!read.ok) return true',
      ],
      ['sends nothing new', "if (commits.length === 0) return nothing('nothing is new')", ''],
      ["sends the agent's own files", '(files) => withoutOwn(files, own.value)', '(files) => files'],
    ],
  },
  {
    file: 'src/usecases/thread-job.ts',
    tests: ['test/usecases/command', 'test/usecases/pulls.test.ts', 'test/usecases/suggestion.test.ts'],
    mutants: [
      [
        'does not wait for an earlier command',
        'while (isWaiting() && clock.now() < until',
        'while (false && clock.now() < until',
      ],
      ['waits without end', ' && clock.now() < until && !cancelled', ' && !cancelled'],
      ['waits after a cancel', ' && !cancelled.aborted) {', ') {'],
      [
        'waits for a later command',
        'found.mark.outcome === null && isEarlier && age',
        'found.mark.outcome === null && age',
      ],
      [
        'follows a job on another account’s pull request',
        '!isPullRequest || !isAuthoredBy(scope.agentLogin)({ author: openedBy ?? null })',
        '!isPullRequest',
      ],
      [
        'sends a suggestion to the job of an earlier one',
        "if (hasReport(on)) return chosen(null, 'own')",
        '',
      ],
      ['follows a job that takes no follow-up', 'if (!found.takes) return chosen(null, found.why)', ''],
    ],
  },
  {
    file: 'src/usecases/jobs.ts',
    tests: ['test/usecases/command', 'test/usecases/rolling.test.ts', 'test/usecases/documented.test.ts'],
    mutants: [
      [
        'sends a failed job a follow-up',
        "const isOver = status !== null && status !== 'completed' && isTerminal(status)",
        'const isOver = false',
      ],
      [
        'sends a follow-up to a job that is gone',
        'if (isOver || (!read.ok && isMissing(read.failure))) {',
        'if (isOver) {',
      ],
      [
        'sends a follow-up to a merged pull request',
        'if (pull.value.isOpen) return yes',
        'if (pull.value) return yes',
      ],
    ],
  },
]
