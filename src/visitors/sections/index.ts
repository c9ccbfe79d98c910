/** The sections that the input `sections` can name. The report shows them in alphabetical order. */
export { feedback } from './feedback.ts'
export { questions } from './questions.ts'
export { searches } from './searches.ts'
