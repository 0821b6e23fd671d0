import { pino, type Logger } from 'pino'

/** What is kept of lines that cannot be written; later ones are dropped. */
const mostBytes = 1_048_576

/** Each line is written as it comes, while requests wait for no disk. */
export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: mostBytes })
  loseLinesOnly(destination)
  return pino({ level, base: { service: 'facilitator' } }, destination)
}

/** A full disk or a closed pipe loses lines, not the service; and nobody waits at the end until the disk has room. */
function loseLinesOnly(destination: ReturnType<typeof pino.destination>): void {
  let isBroken = false
  const flushSync = destination.flushSync.bind(destination)
  destination.on('error', () => {
    isBroken = true
  })
  destination.on('write', () => {
    isBroken = false
  })
  Object.assign(destination, {
    flushSync: () => {
      if (!isBroken) flushSync()
    },
  })
}
