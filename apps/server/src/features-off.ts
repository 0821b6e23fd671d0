import { disabledFeatures, type DisabledFeature } from '@ergon/contract'

/** What a deployment has, or null. */
type Parts = {
  readonly oauth: unknown
  readonly channels: unknown
  readonly mail: unknown
  readonly places: unknown
  readonly config: { readonly gateway: boolean; readonly streams: boolean }
}

/** What a deployment goes without: the operations of these sections answer that they are off. */
export function featuresOff({ oauth, channels, mail, places, config }: Parts): readonly DisabledFeature[] {
  return [
    ...(oauth === null ? [disabledFeatures.oauth] : []),
    ...(mail === null ? [disabledFeatures.mail] : []),
    ...(places === null ? [disabledFeatures.places] : []),
    ...(channels === null ? [disabledFeatures.channels, disabledFeatures.meters] : []),
    ...(channels === null || !config.gateway ? [disabledFeatures.taximetro] : []),
    ...(channels === null || !config.streams ? [disabledFeatures.streams] : []),
  ]
}

/** What a deployment may go without, and has: beside its operations nothing answers for it. */
export function featuresOn(parts: Parts): readonly DisabledFeature[] {
  const off = featuresOff(parts)
  return Object.values<DisabledFeature>(disabledFeatures).filter(
    (one) => one.section !== undefined && !off.includes(one),
  )
}
