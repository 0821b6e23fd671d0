import type { Category } from '@ergon/contract'

export type SceneName = 'place' | 'check' | 'queue' | 'errand' | 'lift' | 'paper' | 'data' | 'code' | 'hero'

/** The picture that each kind of task is shown with. */
export const sceneOf: Readonly<Record<Category, SceneName>> = {
  physical_presence: 'place',
  location_based: 'place',
  digital_physical: 'place',
  verification: 'check',
  data_collection: 'check',
  knowledge_access: 'check',
  social: 'queue',
  social_proof: 'queue',
  emergency: 'queue',
  simple_action: 'errand',
  proxy: 'errand',
  sensory: 'lift',
  bureaucratic: 'paper',
  human_authority: 'paper',
  content_generation: 'data',
  creative: 'data',
  data_processing: 'data',
  code_execution: 'code',
  api_integration: 'code',
  multi_step_workflow: 'code',
  research: 'code',
}
