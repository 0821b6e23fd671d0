import { defineMessages } from '../lib/messages.ts'

export const operatorMessages = defineMessages({
  en: {
    keyTitle: 'For the operator',
    keyHelp:
      'What is here is opened by the admin key of this deployment. It stays in this tab, is sent to this service alone, and is gone when the tab is closed.',
    key: 'Admin key',
    open: 'Open',
    wrong: 'The service does not take this key. Nothing was opened.',
    forget: 'Forget the key',
    empty: 'Type the key first.',
  },
  es: {
    keyTitle: 'Para el operador',
    keyHelp:
      'Lo que hay aquí se abre con la clave de operador de este servicio. Se queda en esta pestaña, no se envía a ningún otro sitio y desaparece al cerrarla.',
    key: 'Clave de operador',
    open: 'Abrir',
    wrong: 'El servicio no acepta esta clave. No se ha abierto nada.',
    forget: 'Olvidar la clave',
    empty: 'Escribe primero la clave.',
  },
})
