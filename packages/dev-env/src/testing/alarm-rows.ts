import { readFileSync } from 'node:fs'

/** The names in the alarm table of the guide for operators. */
export function alarmRows(): readonly string[] {
  const guide = readFileSync(new URL('../../../../docs/guides/operators.md', import.meta.url), 'utf8')
  const [, chapter = ''] = guide.split('\n### Alarms\n')
  const [table = ''] = chapter.split('\n#')
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}
