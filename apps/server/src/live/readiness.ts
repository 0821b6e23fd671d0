/** What a probe is answered: whether to send requests here, and what is wrong. */
export type Readiness = {
  readonly status: 'ready' | 'degraded' | 'not_ready'
  readonly reasons: readonly Reason[]
}

/** Each is an alarm of the guide for operators. */
export const ownReasons = [
  'database_silent',
  'database_read_only',
  'database_unwritable',
  'connections_refused',
  'clock_off',
  'clock_far_off',
  'database_went_back',
  'settings_contradict',
  'events_late',
  'storage_unwritable',
  'evidence_missing',
  'mail_refused',
  'facilitator_unreachable',
] as const
/** These have their network behind them, as in the facilitator's health: `chain_unreachable:base`. */
export const networkReasons = ['chain_unreachable'] as const
export type Reason = (typeof ownReasons)[number] | `${(typeof networkReasons)[number]}:${string}`

export type Sight = {
  readonly database: {
    readonly silentMs: number
    /** Since when it takes in no new connection. */
    readonly refusedMs: number
    readonly isWritable: boolean
    readonly clockAheadMs: number | null
  }
  /** It may have forgotten what it told, and `restore-check` has yet to look. */
  readonly wentBack: boolean
  /** Since the event stream was last read, milliseconds. */
  readonly eventsLateMs: number
  /** Null until it is known. */
  readonly reached: { readonly facilitator: boolean; readonly networks: Readonly<Record<string, boolean>> } | null
  /** Nodes or facilitator are not what the settings take them for. */
  readonly isContradicted: boolean
  /** Since this server last wrote to the database, milliseconds. */
  readonly unwrittenMs: number
  /** Whether evidence can be stored. */
  readonly takesFiles: boolean
  /** Whether a file that was handed in is not where evidence is kept. */
  readonly isEvidenceMissing: boolean
  /** Whether the server for mail takes none. */
  readonly isMailRefused: boolean
}

const silentMs = 8_000
/** A restart of the database is shorter. */
const refusedMostMs = 8_000
const unwrittenMostMs = 12_000
const eventsLateMs = 10_000
const clockOffMs = 1_000
const clockFarOffMs = 10_000

/** Shared time is the database's: a server this far from it does no duties. */
export function isClockFarOff(aheadMs: number | null): boolean {
  return aheadMs !== null && Math.abs(aheadMs) > clockFarOffMs
}

/** Where people can still read and most can go on, a server is degraded, not out. */
export function readinessOf({
  database,
  wentBack,
  eventsLateMs: late,
  reached,
  isContradicted,
  unwrittenMs,
  takesFiles,
  isEvidenceMissing,
  isMailRefused,
}: Sight): Readiness {
  const { clockAheadMs } = database
  const out: Reason[] = [
    ...(database.silentMs > silentMs ? (['database_silent'] as const) : []),
    ...(database.isWritable ? [] : (['database_read_only'] as const)),
    // A database that is full or has lost a table still answers reads.
    ...(unwrittenMs > unwrittenMostMs && database.silentMs <= silentMs && database.isWritable
      ? (['database_unwritable'] as const)
      : []),
    ...(isClockFarOff(clockAheadMs) ? (['clock_far_off'] as const) : []),
    ...(isContradicted ? (['settings_contradict'] as const) : []),
  ]
  const less: Reason[] = [
    // Connections that are open go on, and work that needs more of them fails.
    ...(database.refusedMs > refusedMostMs && database.silentMs <= silentMs ? (['connections_refused'] as const) : []),
    ...(clockAheadMs !== null && Math.abs(clockAheadMs) > clockOffMs && !isClockFarOff(clockAheadMs)
      ? (['clock_off'] as const)
      : []),
    ...(wentBack ? (['database_went_back'] as const) : []),
    ...(late > eventsLateMs ? (['events_late'] as const) : []),
    ...(takesFiles ? [] : (['storage_unwritable'] as const)),
    ...(isEvidenceMissing ? (['evidence_missing'] as const) : []),
    ...(isMailRefused ? (['mail_refused'] as const) : []),
    ...(reached?.facilitator === false ? (['facilitator_unreachable'] as const) : []),
    ...Object.entries(reached?.networks ?? {}).flatMap(([network, answers]) =>
      answers ? [] : ([`chain_unreachable:${network}`] as const),
    ),
  ]
  return {
    status: out.length > 0 ? 'not_ready' : less.length > 0 ? 'degraded' : 'ready',
    reasons: [...out, ...less],
  }
}
