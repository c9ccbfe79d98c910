/** The sections, in the order of the report. */
import type { Section } from '../core/section.ts'
import { feedback } from './feedback.ts'
import { questions } from './questions.ts'
import { searches } from './searches.ts'

export const sections: readonly Section[] = [questions, feedback, searches]
