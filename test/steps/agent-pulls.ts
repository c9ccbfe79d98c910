/** The agent's pull requests on the GitHub double. */
import { commit } from '../../sandbox/github/commits.ts'
import type { Repository } from '../../sandbox/github/repository.ts'

/** Opens pull requests in a repository, each with one file, unless it has them. */
export function opensIn(home: Repository) {
  return (number: number, branch: string): void => {
    const base = home.find('HEAD')
    if (home.pull(number) !== undefined || base === undefined) return
    const files = { [`docs/${number}.md`]: 'New\n' }
    const head = commit({ parents: [base], message: 'Update the docs', author: 'mintlify[bot]', files })
    const opened = { head: { branch, commit: head }, base: { commit: base } }
    home.setPull({ number, user: 'mintlify[bot]', title: 'Update the docs', ...opened })
  }
}
