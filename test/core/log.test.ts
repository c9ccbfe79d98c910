import { expect, it } from 'vitest'
import { annotateOnce, type LogEntry } from '../../src/core/log.ts'

const entry = (level: 'warning' | 'error', cause?: string): LogEntry => {
  return { level, title: '', text: `${cause}`, ...(cause && { cause }) }
}

it('each cause has one annotation, and later warnings about it are lines', () => {
  const printed: string[] = []
  const log = annotateOnce(({ level, text }) => printed.push(`${level} ${text}`))
  log(entry('warning', 'a'), entry('warning'), entry('warning', 'b'), entry('error', 'c'), entry('warning'))
  log(...['a', 'b', 'c', 'd'].map((cause) => entry('warning', cause)))
  expect(printed.slice(0, 5)).toEqual([
    'warning a',
    'warning undefined',
    'warning b',
    'error c',
    'warning undefined',
  ])
  expect(printed.slice(5)).toEqual(['info a', 'info b', 'info c', 'warning d'])
})
