import { defineMessages } from '../../../lib/messages.ts'

/** Notices that a device shows while the app is closed. */
export const pushMessages = defineMessages({
  en: {
    title: 'On your devices',
    lead: 'A device can notify you while the app is closed. It says what kind of thing happened, without names, titles or amounts.',
    cannot: 'This browser cannot show notifications. On an iPhone, add the app to the home screen first.',
    denied: 'Your browser blocks notifications from this page. Allow them in its settings, then come back.',
    turnOn: 'Turn on for this device',
    save: 'Save',
    turnOff: 'Turn off for this device',
    isOn: 'Notifications are on for this device.',
    on: 'Notifications are now on for this device.',
    saved: 'Your choice is saved.',
    off: 'Notifications are off for this device.',
    failed: 'The browser refused. Try again, or use another browser.',
    others: 'Other devices',
    since: 'Since {when}',
    remove: 'Turn off',
    removed: 'Notifications are off for that device.',
  },
  es: {
    title: 'En tus dispositivos',
    lead: 'Un dispositivo puede avisarte con la aplicación cerrada. El aviso dice qué tipo de cosa ha pasado, sin nombres, títulos ni importes.',
    cannot:
      'Este navegador no puede mostrar avisos de una página. En un iPhone, añade antes la aplicación a la pantalla de inicio.',
    denied: 'Tu navegador bloquea los avisos de esta página. Permítelos en sus ajustes y vuelve.',
    turnOn: 'Activar en este dispositivo',
    save: 'Guardar',
    turnOff: 'Desactivar en este dispositivo',
    isOn: 'Este dispositivo muestra avisos.',
    on: 'Este dispositivo ya muestra avisos.',
    saved: 'Tu elección está guardada.',
    off: 'Este dispositivo ya no muestra avisos.',
    failed: 'El navegador no ha aceptado. Inténtalo otra vez o usa otro navegador.',
    others: 'Otros dispositivos',
    since: 'Desde {when}',
    remove: 'Desactivar',
    removed: 'Ese dispositivo ya no muestra avisos.',
  },
})
