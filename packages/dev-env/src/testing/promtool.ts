import { spawnSync } from 'node:child_process'

/** What Prometheus's own tool finds wrong with a page of figures; empty where it takes it as it is. */
export function checkMetrics(page: string): string {
  return promtool(['check', 'metrics'], page)
}

/** Runs Debian's promtool; its complaints, or nothing where it is content. */
export function promtool(args: readonly string[], input = ''): string {
  const run = spawnSync('promtool', args, { input, encoding: 'utf8' })
  if (run.error !== undefined)
    throw new Error('the test needs promtool: apt-get install prometheus', { cause: run.error })
  const said = `${run.stdout}${run.stderr}`.trim()
  return run.status === 0 ? '' : said === '' ? `promtool ended with ${String(run.status)}` : said
}

/** The number under a name with its labels, as the page writes it; NaN where it tells none. */
export function figureIn(page: string, name: string): number {
  const line = page.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? Number.NaN : Number(line.slice(name.length))
}

/** The names of the figures that a page tells. */
export function figuresIn(page: string): readonly string[] {
  return [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
}
