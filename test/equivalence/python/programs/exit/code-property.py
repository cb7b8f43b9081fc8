class Stop(SystemExit):
    @property
    def code(self):
        raise ValueError('no code')
raise Stop(6)
