export const modes = ['agent', 'visitors', 'settle'] as const

export type Mode = (typeof modes)[number]
