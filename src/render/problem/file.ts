/** Explains what is wrong with a file that an input names. */
import type { FileFault } from '../../core/problem.ts'
import { promptFileLimit } from '../../core/prompt/prompt.ts'
import { formatSize } from '../../core/units.ts'
import { type Explained, inCode } from './explanation.ts'

type Named = Exclude<FileFault, { kind: 'too-many' }>

const words: Record<Named['kind'], { headline: string; is: string; why: string }> = {
  missing: {
    headline: 'File not found',
    is: 'does not exist',
    why: 'The workflow may lack an `actions/checkout` step before this one, or the path is misspelled.',
  },
  'not-a-file': {
    headline: 'Not a file',
    is: 'is not a file',
    why: 'It is a folder or a device.',
  },
  outside: {
    headline: 'File outside the workspace',
    is: 'is outside the workspace',
    why: 'It leads out of the workspace (by `..`, a symbolic link or an absolute path) or into `.git`.',
  },
  'not-text': {
    headline: 'Not a text file',
    is: 'is not UTF-8 text',
    why: 'It is binary or in another encoding.',
  },
  empty: { headline: 'Empty file', is: 'is empty', why: 'There is nothing in it to send.' },
  'too-large': {
    headline: 'File too large',
    is: `is larger than ${formatSize(promptFileLimit)}`,
    why: 'A file of this size is probably not a prompt.',
  },
  unreadable: {
    headline: 'Unreadable file',
    is: 'cannot be read',
    why: "The runner's user has no permission to read it, or the disk failed.",
  },
  unwritable: {
    headline: 'Folder not writable',
    is: 'cannot be written',
    why: "The runner's user has no permission, a file is in the way, or the disk is full.",
  },
}

/** Explains a fault of a file. */
export function explainFile(fault: FileFault): Explained {
  if (fault.kind === 'too-many')
    return {
      id: 'too-many-files',
      headline: 'Too many files',
      what: `\`${fault.input}\` matches more than ${fault.limit} files.`,
      why: 'A glob such as `**` probably matches a build or dependency folder.',
      next: 'Narrow the globs, or exclude folders with a line such as `!node_modules/**`. Nothing was sent.',
    }
  const { headline, is, why } = words[fault.kind]
  return {
    id: `file-${fault.kind}`,
    headline,
    what: `\`${fault.input}\`: ${inCode(fault.path, 200)} ${is}.`,
    why,
    next: nextFor(fault.input),
  }
}

function nextFor(input: string): string {
  switch (input) {
    case 'context-files':
      return 'Exclude it with a line such as `!path`, or change the globs. Nothing was sent.'
    case 'report-dir':
      return "Use a folder inside the workspace or the runner's temporary folder."
    default:
      return "Use a text file inside the workspace or the runner's temporary folder. Nothing was sent."
  }
}
