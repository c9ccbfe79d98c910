/** The sections that the input `sections` can name. Only those that it names are loaded. */
export const sections = {
  questions: () => import('./questions.ts'),
  feedback: () => import('./feedback.ts'),
  searches: () => import('./searches.ts'),
}
