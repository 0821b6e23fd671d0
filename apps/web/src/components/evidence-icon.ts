import type { EvidenceType } from '@ergon/contract'
import type { IconName } from './icon-names.ts'

const pictured: Partial<Readonly<Record<EvidenceType, IconName>>> = {
  photo: 'camera',
  photo_geo: 'camera',
  video: 'camera',
  gps: 'map-pin',
  receipt: 'receipt',
  text_response: 'text-align-left',
  text_report: 'text-align-left',
  measurement: 'text-align-left',
  json_response: 'code',
  api_response: 'code',
  code_output: 'code',
  structured_data: 'code',
  timestamp_proof: 'clock',
}

/** The icon beside a kind of evidence. */
export const evidenceIcon = (type: EvidenceType): IconName => pictured[type] ?? 'file-text'
