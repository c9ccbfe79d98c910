import type { Section } from '../section.ts'

/** The sections that the input `sections` can name, in the report's order. Only those that it names are loaded. */
export const sections: Record<string, () => Promise<{ section: Section }>> = {
  questions: () => import('./questions.ts'),
  feedback: () => import('./feedback.ts'),
  searches: () => import('./searches.ts'),
}
