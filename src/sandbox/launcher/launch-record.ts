/** What the launcher is asked to do before a jail starts (runners/protocol.md, LAUNCH); `path` is below the jail's own group. */
export type LaunchRecord =
  | { readonly kind: 'config'; readonly text: string }
  | {
      readonly kind: 'write';
      readonly parent: number;
      readonly path: string;
      readonly value: string;
    }
  | {
      readonly kind: 'fd';
      readonly parent: number;
      readonly access: 'read' | 'read_write' | 'directory';
      /** 16 … 31 */
      readonly fd: number;
      readonly path: string;
    }
  | { readonly kind: 'mkdir'; readonly parent: number; readonly path: string }
  | { readonly kind: 'chown'; readonly parent: number; readonly uid: number; readonly path: string }
  /** "" joins the jail's group itself. */
  | { readonly kind: 'join'; readonly parent: number; readonly path: string };
