/** The contrast of two colors, according to WCAG 2. */

export type Rgb = [number, number, number]

/** Parses `rgb(…)`, the browser's form for opaque colors. Throws for other forms, which would need blending first. */
export function rgbOf(color: string): Rgb {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)
  if (parts === null) throw new Error(`Not a plain color: ${color}`)
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [
    Math.max(luminance(one), luminance(other)),
    Math.min(luminance(one), luminance(other)),
  ]
  return (lighter + 0.05) / (darker + 0.05)
}
