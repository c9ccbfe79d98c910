import { describe, expect, it } from 'vitest'
import type { Role } from '../../src/core/roles.ts'
import type { Account } from '../../src/core/trigger/event.ts'
import { checkPermission, everyoneBehind } from '../../src/request/gate.ts'
import { rowsOf } from '../core/samples.ts'
import { theRun } from '../run/step.ts'

/** Accounts as `login#id:type`: ID 1 if there is none, null for `?`; and the type of a person if there is none. */
const accountsOf = (text: string) => text.split(' ').map(accountOf)
function accountOf(text: string): Account {
  const [, login = '', id = '1', type = 'User'] = /^(.*?)(?:#(.*?))?(?::(.*))?$/.exec(text) ?? []
  return { login, id: id === '?' ? null : Number(id), isBot: type === '?' ? null : type === 'Bot' }
}

/**
 * GitHub with roles as `login:permission/role name#id`, or with a status instead of a role. Lists whom it was asked
 * about. If the type of an account is not known, it is a bot if its login is Copilot.
 */
function github(roles: string) {
  const asked: string[] = []
  return {
    asked,
    async role(_: string, { login, isBot }: Account) {
      asked.push(login)
      const found = roles.split(' ').find((each) => each.startsWith(`${login}:`))
      const [name = '', id = '1'] = found?.slice(login.length + 1).split('#') ?? []
      const status = Number(name)
      if (status > 0) return { ok: false, failure: { kind: 'rejected', status, detail: 'no' } } as const
      if (isBot ?? login === 'Copilot') return { ok: true, value: 'bot' } as const
      const [permission = '', roleName = permission] = name.split('/')
      const value = { permission, roleName, userId: id === '?' ? null : Number(id) }
      return { ok: true, value: found === undefined ? null : value } as const
    },
  }
}

describe('the gate', () => {
  const rows = rowsOf(`
    write       | mona          | mona:write              | allowed
    write       | mona          | mona:admin              | allowed
    write       | mona          | mona:write/maintain     | allowed
    write       | mona          | mona:write/our-editors  | allowed
    write       | mona          | mona:read               | denied
    write       | mona          | mona:read/triage        | denied
    write       | mona          | mona:read/our-readers   | denied
    write       | mona          | mona:read/write         | denied
    write       | mona          | mona:none/write         | denied
    write       | mona          | mona:none               | denied
    write       | mona          | eve:admin               | denied
    triage      | mona          | mona:read/triage        | allowed
    triage      | mona          | mona:read               | denied
    maintain    | mona          | mona:write/maintain     | allowed
    maintain    | mona          | mona:write              | denied
    admin       | mona          | mona:write/maintain     | denied
    admin       | mona          | mona:write              | denied
    write       | mona          | mona:admin#2            | error
    write       | mona          | mona:write#?            | error
    write       | mona#?        | mona:write#2            | allowed
    write       | mona          | mona:403                | error
    write       | mona          | mona:502                | error
    write       | mona rita     | mona:write rita:read    | denied
    write       | mona adam     | mona:write adam:admin   | allowed
    write                   | renovate[bot]:Bot | renovate[bot]:write | denied
    write renovate          | renovate[bot]:Bot |                     | denied
    write dependabot[bot]   | renovate[bot]:Bot |                     | denied
    write *                 | renovate[bot]:Bot |                     | denied
    write Renovate[bot]     | RENOVATE[bot]:Bot |                     | allowed
    write                   | Copilot:Bot       |                     | denied
    write Copilot           | Copilot:Bot       |                     | allowed
    write copilot           | Copilot:?         |                     | allowed
    write                   | Copilot:?         |                     | denied
    write Copilot           | Copilot:?         | Copilot:404         | error
    write renovate          | renovate          | renovate:read       | denied
    write renovate          | renovate          | renovate:write      | allowed
    write renovate          | renovate:?        | renovate:read       | denied
    write my[bot]           | my[bot]           | my[bot]:read        | denied
  `)
  it.each(rows)(
    'the gate of a step that allows %s, for a request by %s with the roles “%s”, says: %s',
    async (...row) => {
      const [allowed = '', by = '', roles = '', expected] = row
      const [required = '', ...bots] = allowed.split(' ')
      const accounts = accountsOf(by)
      const role = required as Role
      const denied = await checkPermission(accounts, { role, bots }, 'acme/docs', github(roles))
      expect({ skipped: 'denied', error: 'error', none: 'allowed' }[denied?.outcome ?? 'none']).toBe(expected)
      const { login = '' } = accounts.at(-1) ?? {}
      const isBot = /Bot$/.test(by) || /^Copilot/.test(by)
      const isListed = bots.includes(login)
      if (expected === 'denied')
        expect(denied?.problem).toEqual({ kind: 'denied', login, role, isBot, isListed })
      if (expected === 'error') expect(denied?.problem).toMatchObject({ kind: 'github-failed', need: 'role' })
    },
  )

  it('the gate stops at the first account that is not allowed', async () => {
    const ports = github('rita:read mona:write')
    await checkPermission(accountsOf('rita mona'), { role: 'write', bots: [] }, 'a/b', ports)
    expect(ports.asked).toEqual(['rita'])
  })
})

it.each(
  rowsOf(`
    mona        | mona   | mona#?  | first run | mona
    mona ann#2  | mona   | mona#?  | first run | mona ann
    mona        | eve#9  | mona#?  | first run | mona eve
    mona        | mona   | eve#?   | re-run    | mona eve
    mona        | mona   | eve#?   | first run | mona
    mona        | Mona   | mona#?  | first run | mona
    mona        | Mona#2 | mona#?  | first run | mona Mona
    mona        | ann#1  | mona#?  | first run | mona
    rev[bot]#5  | Copilot#5 | mona#? | first run | rev[bot]
  `),
)('a request by %s, in a run by %s that %s triggered (%s), needs the roles of: %s', (...row) => {
  const [requesters = '', actor = '', triggering = '', run, expected] = row
  const everyone = everyoneBehind(accountsOf(requesters) as [Account], {
    ...theRun,
    actor: accountOf(actor),
    triggeringActor: accountOf(triggering),
    attempt: run === 're-run' ? 2 : 1,
  })
  expect(everyone.map(({ login }) => login).join(' ')).toBe(expected)
})
