setTimeout(function () { console.log(this.constructor.name, this._idleTimeout); }, 3);
