import { describe, expect, it } from 'vitest'
import { problems } from '../../src/core/problems.ts'
import type { Account } from '../../src/core/trigger/event.ts'
import type { AccountRole, Role } from '../../src/core/trigger/request.ts'
import { checkPermission, everyoneBehind } from '../../src/usecases/gate.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'

const account = (login: string, id: number | null = 1): Account => ({
  login,
  id,
  isBot: login.endsWith('[bot]'),
})
const mona = account('mona')

/** GitHub with these roles (a number is the status of a rejection). `asked` lists the logins whose role was read. */
function github(roles: Record<string, Partial<AccountRole> | number>) {
  const asked: string[] = []
  const ports: Pick<GitHubPorts, 'role'> = {
    async role(_, login) {
      asked.push(login)
      const role = roles[login]
      if (typeof role === 'number') return { ok: false, rejection: { status: role, message: 'no' } }
      const value = role ? { permission: 'none', roleName: role.permission ?? '', userId: 1, ...role } : null
      return { ok: true, value }
    },
  }
  return { asked, ports }
}

describe('the gate', () => {
  const role = (permission: string, roleName = permission) => ({ permission, roleName })
  type Row = [
    name: string,
    accounts: Account[],
    roles: Parameters<typeof github>[0],
    denied: 'allowed' | 'denied' | 'error',
    more?: { role?: Role; bots?: string[] },
  ]
  const renovate = account('renovate[bot]')
  const rows: Row[] = [
    ['a writer', [mona], { mona: role('write') }, 'allowed'],
    ['an admin', [mona], { mona: role('admin') }, 'allowed'],
    ['a maintainer', [mona], { mona: role('write', 'maintain') }, 'allowed'],
    ['someone with a custom role based on write', [mona], { mona: role('write', 'our-editors') }, 'allowed'],
    [
      'someone with triage, if triage is enough',
      [mona],
      { mona: role('read', 'triage') },
      'allowed',
      { role: 'triage' },
    ],
    ['someone with triage', [mona], { mona: role('read', 'triage') }, 'denied'],
    ['a reader', [mona], { mona: role('read') }, 'denied'],
    ['someone with a custom role based on read', [mona], { mona: role('read', 'our-readers') }, 'denied'],
    ['a reader whose role is called admin', [mona], { mona: role('read', 'admin') }, 'denied'],
    ['someone without access whose role is called write', [mona], { mona: role('none', 'write') }, 'denied'],
    ['someone without a role', [mona], { mona: role('none') }, 'denied'],
    ['an account that GitHub does not know', [mona], {}, 'denied'],
    [
      'a maintainer, if maintain is required',
      [mona],
      { mona: role('write', 'maintain') },
      'allowed',
      { role: 'maintain' },
    ],
    ['a writer, if maintain is required', [mona], { mona: role('write') }, 'denied', { role: 'maintain' }],
    ['a writer, if admin is required', [mona], { mona: role('write') }, 'denied', { role: 'admin' }],
    [
      'a maintainer, if admin is required',
      [mona],
      { mona: role('write', 'maintain') },
      'denied',
      { role: 'admin' },
    ],
    ['a reader whose role is called write', [mona], { mona: role('read', 'write') }, 'denied'],
    ['a response about another account', [mona], { mona: { ...role('admin'), userId: 2 } }, 'error'],
    ['a response without an account', [mona], { mona: { ...role('write'), userId: null } }, 'error'],
    [
      'an account whose id is unknown',
      [account('mona', null)],
      { mona: { ...role('write'), userId: 2 } },
      'allowed',
    ],
    ['a bot', [renovate], { 'renovate[bot]': role('write') }, 'denied'],
    ['a bot on the list', [renovate], {}, 'allowed', { bots: ['Renovate[bot]'] }],
    ['a bot other than the one on the list', [renovate], {}, 'denied', { bots: ['dependabot[bot]'] }],
    ['a bot whose name contains one on the list', [renovate], {}, 'denied', { bots: ['renovate'] }],
    ['a bot, if the list is a wildcard', [renovate], {}, 'denied', { bots: ['*'] }],
    [
      'an allowed author and a sender who is not',
      [mona, account('rita')],
      { mona: role('write'), rita: role('read') },
      'denied',
    ],
    [
      'an allowed author and an allowed sender',
      [mona, account('adam')],
      { mona: role('write'), adam: role('admin') },
      'allowed',
    ],
    ['an account whose role GitHub does not reveal', [mona], { mona: 403 }, 'error'],
    ['an account, if GitHub fails', [mona], { mona: 502 }, 'error'],
  ]
  const titled = rows.map(([name, ...row]) => ({ name, expected: row[2], row }))
  it.each(titled)('the gate returns $expected for $name', async ({ row }) => {
    const [accounts, roles, expected, more = {}] = row
    const { ports } = github(roles)
    const rules = { role: 'write', bots: [], ...more } as const
    const denied = await checkPermission(accounts, rules, 'acme/docs', ports)
    const outcome = denied?.outcome === 'skipped' ? 'denied' : (denied?.outcome ?? 'allowed')
    expect(outcome).toBe(expected)
    const { login, isBot } = accounts.at(-1) ?? mona
    const required = rules.role
    if (expected === 'denied')
      expect(denied?.problem).toEqual(problems.notAllowed({ login, required, isBot }))
    if (expected === 'error') expect(denied?.problem).toMatchObject({ id: 'unread-role' })
  })

  it('the gate stops at the first account that is not allowed', async () => {
    const { ports, asked } = github({ rita: role('read'), mona: role('write') })
    await checkPermission([account('rita'), mona], { role: 'write', bots: [] }, 'a/b', ports)
    expect(asked).toEqual(['rita'])
  })
})

describe('everyone behind a request', () => {
  const actors = { actor: mona, triggeringActor: account('mona', null), isRerun: false }
  it.each([
    ['the author alone, who sent and started it', [mona], actors, ['mona']],
    ['the author and the sender', [mona, account('ann', 2)], actors, ['mona', 'ann']],
    [
      'the author and the person who started the run',
      [mona],
      { ...actors, actor: account('eve', 9) },
      ['mona', 'eve'],
    ],
    [
      'the author and the person who re-ran it',
      [mona],
      { ...actors, triggeringActor: account('eve', null), isRerun: true },
      ['mona', 'eve'],
    ],
    [
      'the author alone, even if a first run names another triggering actor',
      [mona],
      { ...actors, triggeringActor: account('eve', null) },
      ['mona'],
    ],
    [
      'the author alone, if the sender’s login differs only in case',
      [mona],
      { ...actors, actor: account('Mona') },
      ['mona'],
    ],
    [
      'the author and another account that took over the login',
      [mona],
      { ...actors, actor: account('Mona', 2) },
      ['mona', 'Mona'],
    ],
    [
      'the author alone, if the environment names no one',
      [mona],
      { ...actors, actor: account('', null) },
      ['mona'],
    ],
  ] as const)('everyone behind a request is %s', (_, requesters, given, expected) => {
    expect(everyoneBehind(requesters as [Account], given).map(({ login }) => login)).toEqual(expected)
  })
})
