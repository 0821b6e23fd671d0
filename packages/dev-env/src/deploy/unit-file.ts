import { readDeployed } from './proxy.ts'

/** The process that a unit file of `deploy/` starts. */
export type Unit = {
  readonly text: string
  /** The words of the command, the program first. */
  readonly command: readonly string[]
  readonly workingDirectory: string
  /** The file below `deploy/` that the operator copies. */
  readonly environmentFile: string
  readonly environment: ReadonlyMap<string, string>
  /** Names of credentials, and the files they come from. */
  readonly credentials: ReadonlyMap<string, string>
  readonly stopSeconds: number
}

/** Reads a unit file as far as a start by hand needs it; `credentialsDir` is what `%d` means. */
export function readUnit(name: string, credentialsDir: string): Unit {
  const text = readDeployed(name)
  const every = (key: string): string[] =>
    text.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []))
  const one = (key: string): string => {
    const [value, ...more] = every(key)
    if (value === undefined || more.length > 0) throw new Error(`${name} has to say ${key} once`)
    return value
  }
  const pairs = (texts: readonly string[], mark: string): ReadonlyMap<string, string> =>
    new Map(
      texts.map((pair) => {
        const [key = '', ...value] = pair.split(mark)
        return [key, value.join(mark)] as const
      }),
    )
  return {
    text,
    command: one('ExecStart').split(' '),
    workingDirectory: one('WorkingDirectory'),
    environmentFile: one('EnvironmentFile').replace('/etc/ergon/', ''),
    environment: pairs(
      every('Environment')
        .flatMap((line) => line.split(' '))
        .map((pair) => pair.replace('%d', credentialsDir)),
      '=',
    ),
    credentials: pairs(every('LoadCredential'), ':'),
    stopSeconds: Number(one('TimeoutStopSec')),
  }
}
