import { isOpenToAll } from './open-to-all.ts'
import { settingsText } from './settings-file.ts'

/**
 * A secret, or the text of the file that `NAME_FILE` names, without the space around it; undefined: neither is set.
 * What is refused is told without ever repeating a value. `warn` hears of a file that every user of the machine can
 * read: a container may mount files so, and it is no reason to refuse.
 * @throws what `refuse` makes
 */
export function secretOf(
  text: (name: string) => string | undefined,
  name: string,
  refuse: (sentence: string, cause?: unknown) => Error,
  warn: (sentence: string) => void,
): string | undefined {
  const [own, file] = [text(name)?.trim() ?? '', text(`${name}_FILE`) ?? '']
  if (file === '') return own === '' ? undefined : own
  if (own !== '') throw refuse(`set ${name} or ${name}_FILE, not both`)
  const kept = settingsText(file, (why, cause) => refuse(`${name}_FILE cannot be read: ${why}`, cause))
  if (kept === '') throw refuse(`${name}_FILE names a file with nothing in it`)
  if (isOpenToAll(file)) warn(`every user of this machine can read ${file} of ${name}_FILE: chmod o-rwx ${file}`)
  return kept
}
