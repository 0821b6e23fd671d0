/** Figures by name. Those of `targets` are what is asked for, the others explain them. */
export type Measured = Readonly<Record<string, number>>

type Target = { readonly atLeast: number } | { readonly atMost: number }

/** What the figures are to reach. */
export const targets: Readonly<Record<string, Target>> = {
  signature_ratio: { atLeast: 20 },
  publish_share: { atLeast: 0.65 },
  list_share: { atLeast: 0.7 },
  mixed_rps_share: { atLeast: 0.5 },
  p99_ms_at_half_load: { atMost: 25 },
  job_server_cpu_ms: { atMost: 20 },
  job_facilitator_cpu_ms: { atMost: 6 },
  job_database_cpu_ms: { atMost: 8 },
  aged_share: { atLeast: 0.8 },
  verification_seconds_p99: { atMost: 10 },
  rss_mib_under_load: { atMost: 600 },
  facilitator_verify_ratio: { atLeast: 10 },
  facilitator_verify_fifty_ratio: { atLeast: 5 },
  escrow_tasks_per_second: { atLeast: 250 },
  fanout_share: { atLeast: 0.7 },
  event_latency_ms_p99: { atMost: 50 },
  tick_share: { atLeast: 0.6 },
  meter_latency_ms_p99: { atMost: 100 },
  webhook_deliveries_share: { atLeast: 0.6 },
  a2a_share: { atLeast: 0.5 },
  tools_share: { atLeast: 0.7 },
  oauth_token_share: { atLeast: 0.6 },
  bearer_check_us: { atMost: 30 },
  revocation_seen_ms: { atMost: 1_000 },
  ready_seconds: { atMost: 4 },
  rss_mib: { atMost: 300 },
  first_row_ms: { atMost: 2_000 },
  scroll_frames_phone_share: { atLeast: 0.8 },
  scroll_frames_wide_share: { atLeast: 0.8 },
  lighthouse_list: { atLeast: 95 },
  lighthouse_task: { atLeast: 95 },
}

/** One line a figure: name, value and, where there is a target, whether it is reached. */
export function reportTable(measured: Measured): string {
  const width = Math.max(...Object.keys(measured).map((name) => name.length))
  return Object.entries(measured)
    .map(([name, value]) => {
      const target = targets[name]
      const line = `  ${name.padEnd(width)}  ${figure(value).padStart(10)}`
      return target === undefined ? line : `${line}  ${verdict(value, target)}`
    })
    .join('\n')
}

/** Four digits that count are all that a run on a shared machine can tell. */
export function rounded(measured: Measured): Measured {
  return Object.fromEntries(Object.entries(measured).map(([name, value]) => [name, Number(value.toPrecision(4))]))
}

function figure(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 3 })
}

function verdict(value: number, target: Target): string {
  return 'atLeast' in target
    ? `${value >= target.atLeast ? 'reached' : 'missed '} (at least ${target.atLeast})`
    : `${value <= target.atMost ? 'reached' : 'missed '} (at most ${target.atMost})`
}
