/** The sections that the input `sections` can name. */
export { feedback } from './feedback.ts'
export { questions } from './questions.ts'
export { searches } from './searches.ts'
