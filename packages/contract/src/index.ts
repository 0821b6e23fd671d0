export * from './vocabulary.ts'
export { featureOf, runConfigKeys, runSettings, type RunConfig, type RunConfigKey } from './run-config.ts'
export { moneyFindingKinds, type MoneyFindingKind } from './findings.ts'
export { errorCatalogue, errorNames, type ErrorCode, type ErrorEntry } from './errors.ts'
export { events, eventApiVersion, type EventData, type EventName } from './events.ts'
export {
  commonErrors,
  errorsOf,
  operation,
  signatureErrors,
  writes,
  type Access,
  type HttpMethod,
  type InputOf,
  type Operation,
  type OutputOf,
  type RestBinding,
} from './operation.ts'
export {
  webhookCatalogue,
  webhookDeliveryKinds,
  webhookDeliveryStatuses,
  webhookDisabledReasons,
  webhookLimits,
  webhookStatuses,
  type WebhookDeliveryKind,
  type WebhookDeliveryStatus,
  type WebhookDisabledReason,
  type WebhookOwnEvent,
  type WebhookStatus,
} from './webhooks.ts'
export { decimalPattern } from './schema.ts'
export { cappedApprovalErrors } from './resources/decision.ts'
export type { NextAct, NextOtherwise, NextWho } from './resources/next-action.ts'
export { bearerClosedDoors, bearerNeed, nonBearerScopes, type BearerNeed } from './bearer.ts'
export { pathFields, takesIdempotencyKey } from './rest-binding.ts'
export { operations, type OperationName, type Operations } from './operations/index.ts'
export { takesSession, takesUnsigned } from './operation.ts'
export { disabledFeatureAt, disabledFeatureOf, disabledFeatures, type DisabledFeature } from './disabled-features.ts'
export { openApiDocument, openApiSections, type OpenApiOptions } from './openapi.ts'
export {
  a2aActions,
  a2aCodeOf,
  a2aErrors,
  a2aHttpStatus,
  a2aLimits,
  a2aMethods,
  a2aPath,
  a2aStateAfter,
  a2aStateOf,
  a2aTaskStates,
  a2aTransportCodes,
  a2aVersion,
  a2aVersions,
  isA2aFinal,
  type A2aAction,
  type A2aErrorName,
  type A2aMethod,
  type A2aMethodName,
  type A2aTaskState,
  type A2aViewer,
} from './a2a.ts'
export type { About } from './documents/about.ts'
export { llmsFullText, llmsText } from './documents/llms-text.ts'
export { asyncApiDocument, socketCloseCodes } from './documents/asyncapi.ts'
export { skillFile } from './documents/skill-file.ts'
export { signingVectors } from './documents/signing-vectors.ts'
export { mcpServerCard, serverJson } from './documents/server-json.ts'
export { hostConfig, toolHostNames, type HostConfig, type ToolHostName } from './tools/host-config.ts'
export type { Tool } from './tools/tool.ts'
export { toolProtocolVersion, tools, type ToolName } from './tools/tools.ts'
export {
  readToolsets,
  toolsetNames,
  toolsetsOf,
  toolsetsParameter,
  toolsOf,
  type ToolsetName,
} from './tools/toolsets.ts'
export { asksSignature, incompleteWithout, lackingCodes, type Asks, type AskingTool } from './tools/asks-signature.ts'
export {
  linkReasons,
  pendingAction,
  returnSignature,
  signAction,
  signedAction,
  walletAction,
  walletActionKinds,
  type LackingCall,
  type LinkReason,
  type ToSign,
  type WalletAction,
} from './tools/wallet-action.ts'
export { argumentOf, toolDocument, toolInput, type ToolDocument } from './tools/tool-document.ts'
