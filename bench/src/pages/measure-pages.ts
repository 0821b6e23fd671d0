import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Measured } from '../report.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The app's own measuring, in a real browser: first row on a slowed phone, frames while scrolling, Lighthouse. */
export async function measurePages(): Promise<Measured> {
  const command = spawn('npm', ['run', '--silent', 'measure', '-w', '@ergon/web'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(command.stdout), once(command, 'close')])
  if (command.exitCode !== 0) throw new Error(`measuring the pages ended with ${String(command.exitCode)}`)
  // The last line, printed by the command above.
  return JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as Measured
}
