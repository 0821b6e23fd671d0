import { readFileSync } from 'node:fs'

/** What is thrown where a file cannot be used: `why` is the end of a sentence. */
export type RefuseFile = (why: string, cause: unknown) => Error

/**
 * The text of a file that a setting names, without the space around it, and without the mark that some editors put in
 * front. @throws what `refuse` makes
 */
export function settingsText(file: string, refuse: RefuseFile): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw refuse(whyUnread(cause), cause)
  }
}

/** The JSON in such a file. @throws what `refuse` makes */
export function settingsJson(file: string, refuse: RefuseFile): unknown {
  const text = settingsText(file, refuse)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refuse('it is no JSON', cause)
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
