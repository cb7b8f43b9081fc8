/** The service's log: JSON lines on stdout, one canonical line per submission. Never code, input or output. */
import { pino, type Logger as PinoLogger } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What the rest of the house needs of a logger: fields first, then a constant message. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function createLogger(options: { level: LogLevel }): Logger {
  const logger: PinoLogger = pino({ level: options.level, base: null });
  return logger;
}
