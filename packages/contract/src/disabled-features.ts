import type { ErrorCode } from './errors.ts'
import type { HttpMethod, RestBinding } from './operation.ts'
import { pathFields } from './rest-binding.ts'

/** A part of the specification that this service knows of and does not do. */
export type DisabledFeature = {
  /** `FEATURE_DISABLED` where the specification says 404, `NOT_WIRED` where it says 501. */
  readonly code: Extract<ErrorCode, 'FEATURE_DISABLED' | 'NOT_WIRED'>
  readonly says: string
  readonly routes: readonly RestBinding[]
  /** Whatever lies below answers alike, named here or not. */
  readonly below?: readonly `/${string}`[]
  /** Operations of this section answer alike: they are described as every operation is, and off with the rest. */
  readonly section?: string
}

const route = (method: HttpMethod, path: `/${string}`): RestBinding => ({ method, path })

/** Routes that answer nothing but that they are off; a feature that arrives moves its routes to `operations`. */
export const disabledFeatures = {
  /** Spec §4: every path answers 404 while the deployment flag is off. */
  streams: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment offers no metered sessions.',
    section: 'streams',
    routes: [],
    below: ['/api/v1/streams'],
  },
  /** Spec §1: when the gateway flag is off the routes answer 404. */
  taximetro: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment has no channel gateway.',
    section: 'taximetro',
    routes: [],
    below: ['/api/v1/taximetro'],
  },
  /** Spec §7: 501 for a feature that is not wired in this deployment. */
  channels: {
    code: 'NOT_WIRED',
    says: 'Metered channels are not wired in this deployment.',
    section: 'channels',
    routes: [],
  },
  /** No task has a meter where no channel can be bound. */
  meters: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment meters no tasks.',
    section: 'meters',
    routes: [],
  },
  mail: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment sends no mail.',
    section: 'mail',
    routes: [],
    below: ['/api/v1/mail'],
  },
  places: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment looks up no addresses.',
    section: 'places',
    routes: [],
  },
  /** Spec §5: all OAuth routes answer 404 unless the deployment has the rail enabled. */
  oauth: {
    code: 'FEATURE_DISABLED',
    says: 'This deployment issues no delegated tokens.',
    section: 'grants',
    routes: [
      route('POST', '/oauth/register'),
      route('GET', '/oauth/authorize'),
      route('POST', '/oauth/token'),
      route('POST', '/oauth/revoke'),
      route('POST', '/oauth/consent/{rid}/signature'),
      route('GET', '/oauth/consent/{rid}/signature'),
      route('GET', '/oauth/consent/{rid}/status'),
      route('GET', '/.well-known/oauth-authorization-server'),
      route('GET', '/.well-known/oauth-protected-resource'),
      route('GET', '/.well-known/oauth-protected-resource/mcp'),
    ],
    below: ['/oauth', '/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'],
  },
} as const satisfies Record<string, DisabledFeature>

/** The feature a path without an operation belongs to, whatever its method; undefined for paths nobody knows. */
export function disabledFeatureAt(path: string): DisabledFeature | undefined {
  return all.find(
    ({ routes, below = [] }) =>
      below.some((root) => path === root || path.startsWith(`${root}/`)) ||
      routes.some((one) => answers(one.path, path)),
  )
}

/** The feature that the operations of a section belong to; undefined for those that every deployment offers. */
export function disabledFeatureOf(section: string): DisabledFeature | undefined {
  return all.find((one) => one.section === section)
}

const all: readonly DisabledFeature[] = Object.values(disabledFeatures)

function answers(template: string, path: string): boolean {
  if (pathFields(template).length === 0) return template === path
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? (given[index] ?? '') !== '' : part === given[index]))
  )
}
