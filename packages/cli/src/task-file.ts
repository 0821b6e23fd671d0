import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { usageError } from './cli-error.ts'

/** A task as a file says it, YAML or JSON; `-` is stdin. The service holds every field against its rule. */
export function readTaskFile(path: string): Readonly<Record<string, unknown>> {
  const text = readText(path)
  let read: unknown
  try {
    // No custom types and no aliases: a task file says what it means.
    read = parse(text, { schema: 'core', maxAliasCount: 0 })
  } catch (error) {
    throw usageError(
      `${path} cannot be read: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
      'Write it as YAML or JSON.',
    )
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw usageError(
      `${path} is no list of fields`,
      'Write one field a line, title: … and so on; see ergon task publish --help.',
    )
  // Members stay unknown; the contract's schema looks at each.
  return read as Readonly<Record<string, unknown>>
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (cause) {
    throw usageError(
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the path.',
    )
  }
}
