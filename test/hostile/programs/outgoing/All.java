// How: as all.py, by java.net; Java has no abstract sockets.
// Expected: exited 0, "tried"; nothing arrives.
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;

public class All {
    static void connect(String host, String port, byte[] text) {
        try (Socket socket = new Socket(host, Integer.parseInt(port))) {
            socket.getOutputStream().write(text);
        } catch (Exception error) {
            // There is no way.
        }
    }

    static void send(String host, String port, byte[] text) {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress address = InetAddress.getByName(host);
            socket.send(new DatagramPacket(text, text.length, address, Integer.parseInt(port)));
        } catch (Exception error) {
            // There is no way.
        }
    }

    public static void main(String[] args) {
        byte[] text = args[0].getBytes();
        connect("127.0.0.1", args[1], text);
        send("127.0.0.1", args[2], text);
        send("127.0.0.1", args[3], text);
        connect("::1", args[4], text);
        send("::1", args[5], text);
        System.out.println("tried");
    }
}
