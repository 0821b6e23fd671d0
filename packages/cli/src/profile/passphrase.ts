import { readFileSync } from 'node:fs'
import { CliError } from '../cli-error.ts'

type Env = Readonly<Record<string, string | undefined>>

/** From ERGON_PASSPHRASE, the file ERGON_PASSPHRASE_FILE names, or the terminal, where it is not shown. */
export async function readPassphrase(env: Env, prompt: string): Promise<string> {
  const given = env['ERGON_PASSPHRASE']
  if (given !== undefined) return given
  const file = env['ERGON_PASSPHRASE_FILE']
  if (file !== undefined) return readFirstLine(file)
  if (!process.stdin.isTTY)
    throw new CliError(
      'auth',
      'NO_PASSPHRASE',
      'the key file needs a passphrase and there is no terminal to ask at',
      'Set ERGON_PASSPHRASE or ERGON_PASSPHRASE_FILE.',
    )
  return askHidden(prompt)
}

function readFirstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (cause) {
    throw new CliError(
      'auth',
      'NO_PASSPHRASE',
      `the passphrase file ${file} cannot be read`,
      'Point ERGON_PASSPHRASE_FILE at a file whose first line is the passphrase.',
      { cause },
    )
  }
}

function askHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  // Quiet before it asks: what is typed the moment the question appears must not show.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  stderr.write(prompt)
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (): void => {
      stdin.off('data', onData).setRawMode(false).pause()
      stderr.write('\n')
    }
    const onData = (keys: string): void => {
      for (const key of keys) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end()
          resolve(typed)
          return
        }
        if (key === '\u0003') {
          end()
          reject(new CliError('interrupted', 'INTERRUPTED', 'stopped', 'Run it again.'))
          return
        }
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key
      }
    }
    stdin.on('data', onData)
  })
}
