import type { Env } from './given-of.ts'
import { meantName } from './setting-names.ts'

/**
 * What is wrong with how settings were written down, as a sentence without a value; undefined: nothing.
 * A unit of systemd, a container and a shell read one file in three ways: what one of them takes for quotes, a comment
 * or a variable, another hands on as part of the value.
 */
export function writtenFault(env: Env, prefix: string): string | undefined {
  for (const [name, value = ''] of Object.entries(env)) {
    const meant = meantName(name)
    if (!meant.startsWith(prefix) && meant !== 'DATABASE_URL') continue
    if (meant !== name)
      return `${JSON.stringify(name)} is no name of a setting: write ${meant}=… at the start of a line`
    const fault = valueFault(name, value.trim())
    if (fault !== undefined) return `${name} ${fault}`
  }
  return undefined
}

function valueFault(name: string, value: string): string | undefined {
  if (/^(["']).*\1(\s+#.*)?$/s.test(value))
    return 'has quotes around it, which are part of the value here: write it without them'
  if (/\s#/.test(value))
    return 'has a # behind a space, which begins no comment here: give the comment a line of its own'
  if (value.startsWith('~/') || (/_(DIR|FILE)$/.test(name) && value.startsWith('$')))
    return 'begins with ~ or $, which nothing replaces here: write the whole path'
  return undefined
}
