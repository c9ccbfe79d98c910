export const modes = ['agent', 'visitors', 'settle'] as const

/** What a step does, as the input `mode` selects it. */
export type Mode = (typeof modes)[number]
