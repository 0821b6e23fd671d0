#!/usr/bin/env node
import { commands } from './commands/index.ts'
import { run } from './run.ts'

const stop = new AbortController()
process.once('SIGINT', () => {
  stop.abort()
})
process.once('SIGTERM', () => {
  stop.abort()
})
// A reader that has seen enough (`| head`) closes the pipe; that is no failure of this program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
// What it says beside its answer may go unread.
process.stderr.on('error', () => undefined)

process.exitCode = await run(commands, process.argv.slice(2), {
  env: process.env,
  out: (text) => {
    process.stdout.write(text)
  },
  err: (text) => {
    process.stderr.write(text)
  },
  stopped: stop.signal,
})
// A long poll may still be open; whoever pressed Ctrl-C does not wait for it.
if (stop.signal.aborted) process.exit()
