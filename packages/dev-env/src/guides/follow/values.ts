/** The value of each name; undefined and null are left out wherever they would be sent. */
export type Values = Map<string, unknown>

const whole = /^\{(\w+)\}$/

/** The value at a JSON Pointer (RFC 6901), or undefined. */
export function at(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<unknown>((one, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined
  }, value)
}

/** A copy with the value at a pointer replaced; places on the way are there. */
export function withPlace(value: unknown, pointer: string, put: unknown): unknown {
  const copy: unknown = structuredClone(value)
  const keys = pointer.split('/').slice(1)
  const last = keys.pop() ?? ''
  const holder = at(copy, keys.map((key) => `/${key}`).join(''))
  if (typeof holder !== 'object' || holder === null) throw new Error(`there is no place for ${pointer}`)
  Reflect.set(holder, last, put)
  return copy
}

/** The value of the name in a text, or the text itself where it is no name. */
export function valueOf(text: string, values: Values): unknown {
  const name = whole.exec(text)?.[1]
  return name === undefined ? text : values.get(name)
}

/** JSON with every placeholder replaced by its value; members without one are left out. */
export function filledJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return valueOf(value, values)
  if (Array.isArray(value)) return value.map((one) => filledJson(one, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const filled = filledJson(one, values)
      return filled === undefined || filled === null ? [] : [[name, filled]]
    }),
  )
}

/** A URL with its placeholders replaced, percent-encoded unless one is the whole. */
export function filledUrl(url: string, values: Values): string {
  if (whole.test(url)) return textOf(valueOf(url, values))
  return url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(textOf(values.get(name))))
}

/** Texts as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined) throw new Error('a value is missing')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Lines of a template with values in place; a line that has none is left out. */
export function filledLines(template: string, values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return template.split('\n').flatMap((line) => {
    const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    if (names.some((name) => values[name] === undefined)) return []
    return [line.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '')]
  })
}
