/** JSON that a review can read: indented down to `depth`, one line below it. */
export function compactJson(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const inner = `${indent}  `
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${compactJson(member, depth - 1, inner)}`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}
