import { measureEvents } from './events/measure-events.ts'
import { measureJobs } from './jobs/measure-jobs.ts'
import { measureA2a } from './a2a/measure-a2a.ts'
import { measureChannels } from './channels/measure-channels.ts'
import { measureFacilitator } from './facilitator/measure-facilitator.ts'
import { measureMarket } from './market/measure-market.ts'
import { measureVerification } from './photos/measure-verification.ts'
import { measurePages } from './pages/measure-pages.ts'
import { measureReady } from './ready/measure-ready.ts'
import { measureOAuth } from './oauth/measure-oauth.ts'
import type { Measured } from './report.ts'
import { measureTools } from './tools/measure-tools.ts'
import { measureSignatureRatio } from './signature/signature-ratio.ts'
import { measureWebhooks } from './webhooks/measure-webhooks.ts'

export type Part = { readonly name: string; readonly measure: () => Promise<Measured> }

/** What can be measured, in this order; each part starts what it needs and leaves nothing behind. */
export const parts: readonly Part[] = [
  { name: 'signature', measure: measureSignatureRatio },
  { name: 'market', measure: measureMarket },
  { name: 'jobs', measure: measureJobs },
  { name: 'verification', measure: measureVerification },
  { name: 'facilitator', measure: measureFacilitator },
  { name: 'events', measure: measureEvents },
  { name: 'channels', measure: measureChannels },
  { name: 'webhooks', measure: measureWebhooks },
  { name: 'a2a', measure: measureA2a },
  { name: 'tools', measure: measureTools },
  { name: 'oauth', measure: measureOAuth },
  { name: 'ready', measure: measureReady },
  { name: 'pages', measure: measurePages },
]
