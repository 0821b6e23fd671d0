import type { AttackReport, ClassReport } from './run-attack.ts'

/** The table of a run; beside it what each class cost the service, and what a minute of it costs. */
export function linesOf({ classes, notTried, seconds }: AttackReport): readonly string[] {
  const width = Math.max(...classes.map(({ name }) => name.length), 5)
  const sum = (of: (one: ClassReport) => number): number => classes.reduce((total, one) => total + of(one), 0)
  const all: Figures = {
    tried: sum(({ tried }) => tried),
    stopped: sum(({ stopped }) => stopped),
    minute: { cpuMs: sum(({ minute }) => minute.cpuMs) },
    cost: {
      cpuMs: sum(({ cost }) => cost.cpuMs),
      gas: sum(({ cost }) => cost.gas),
      diskBytes: sum(({ cost }) => cost.diskBytes),
      seconds,
    },
  }
  return [
    row(width, ['class', 'tried', 'stopped', 'seconds', 'CPU s', 'gas M', 'disk MiB', 'CPU s/min'], 'what held it'),
    ...classes.map((one) => row(width, [one.name, ...figuresOf(one)], one.held)),
    row(width, ['in all', ...figuresOf(all)], ''),
    ...classes.flatMap(({ name, through }) => through.map((what) => `  got through: ${name}: ${what}`)),
    ...notTried.map((name) => `  not tried here: ${name} needs an instance with settings of its own`),
  ]
}

type Figures = Pick<ClassReport, 'tried' | 'stopped' | 'cost'> & {
  readonly minute: Pick<ClassReport['minute'], 'cpuMs'>
}

function figuresOf({ tried, stopped, cost, minute }: Figures): readonly string[] {
  return [
    String(tried),
    String(stopped),
    ...[cost.seconds, cost.cpuMs / 1_000, cost.gas / 1e6, cost.diskBytes / 1_048_576, minute.cpuMs / 1_000].map(
      (figure) => figure.toFixed(1),
    ),
  ]
}

function row(width: number, [name = '', ...figures]: readonly string[], held: string): string {
  return `  ${name.padEnd(width)} ${figures.map((figure) => figure.padStart(9)).join(' ')}  ${held}`.trimEnd()
}
