import { readFileSync } from 'node:fs'

/**
 * A secret, or the text of the file that `NAME_FILE` names, without the space around it; undefined: neither is set.
 * What is refused is told without ever repeating a value.
 * @throws what `refuse` makes
 */
export function secretOf(
  text: (name: string) => string | undefined,
  name: string,
  refuse: (sentence: string, cause?: unknown) => Error,
): string | undefined {
  const [own, file] = [text(name)?.trim() ?? '', text(`${name}_FILE`) ?? '']
  if (file === '') return own === '' ? undefined : own
  if (own !== '') throw refuse(`set ${name} or ${name}_FILE, not both`)
  const kept = read(file, (cause) => refuse(`${name}_FILE cannot be read: ${whyUnread(cause)}`, cause))
  if (kept === '') throw refuse(`${name}_FILE names a file with nothing in it`)
  return kept
}

function read(file: string, refuse: (cause: unknown) => Error): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw refuse(cause)
  }
}

function whyUnread(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it failed'
  return unread[code] ?? code
}

const unread: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this process may not read it',
  EISDIR: 'it is a folder, as a container makes one where the file of a mount is missing',
}
