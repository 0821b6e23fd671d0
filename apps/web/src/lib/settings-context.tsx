import { createContext, use, type ReactNode } from 'react'
import type { AppSettings } from './settings.ts'

const SettingsContext = createContext<AppSettings>({
  faucetUrl: null,
  serviceUrl: null,
  sessionOrigins: null,
  termsUrl: null,
  privacyUrl: null,
  helpUrl: null,
  onRampUrl: null,
})

export function SettingsProvider({
  settings,
  children,
}: {
  readonly settings: AppSettings
  readonly children: ReactNode
}): ReactNode {
  return <SettingsContext value={settings}>{children}</SettingsContext>
}

export function useSettings(): AppSettings {
  return use(SettingsContext)
}
