import { defineMessages } from '../../lib/messages.ts'

export const adminNavMessages = defineMessages({
  en: {
    nav: 'Operator screens', overview: 'Overview', tasks: 'Tasks', workers: 'Workers and bans', money: 'Money and fees', settings: 'Settings', audit: 'Audit log',
    tasksSays: 'Find any task in any status; put one into another status when it is stuck.',
    workersSays: 'Find who works here; ban a wallet or lift its ban.',
    moneySays: 'Escrow, payments and fees by network; send fees to the treasury.',
    settingsSays: 'What can be changed while the service runs.',
    auditSays: 'Everything that was done with the admin key, and why.',
  },
  es: {
    nav: 'Pantallas de administración', overview: 'Resumen', tasks: 'Tareas', workers: 'Trabajadores y vetos', money: 'Dinero y comisiones', settings: 'Ajustes', audit: 'Registro de auditoría',
    tasksSays: 'Encuentra cualquier tarea en cualquier estado y pásala a otro si se ha atascado.',
    workersSays: 'Encuentra a quien trabaja aquí; veta una cartera o levanta su veto.',
    moneySays: 'Depósitos, pagos y comisiones por red; envía las comisiones a la tesorería.',
    settingsSays: 'Lo que se puede cambiar con el servicio en marcha.',
    auditSays: 'Todo lo que se ha hecho con la clave de administración, y por qué.',
  },
})
