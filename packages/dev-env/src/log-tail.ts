import { readFileSync } from 'node:fs'

const TAIL_LINES = 20

/** The end of a log file, for the message of an error; empty when there is none. */
export function logTail(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  } catch {
    return ''
  }
}
